import { z } from 'zod';
import type { Route } from '../application.ts';
import { operation } from '../contract.ts';

const { config, describe } = operation('getMetrics', {
  tag: 'service',
  summary: 'What this API counted since its start, and how the service stands, for Prometheus',
  answer: z.string(),
  type: 'text/plain',
});

export const metricsRoute: Route<'metrics'> = (application, { metrics }) => {
  application.route({
    method: 'GET',
    url: '/metrics',
    config,
    schema: describe,
    handler: async (_request, reply) =>
      reply
        .type(metrics.contentType)
        .serializer((text: string) => text)
        .send(await metrics.text()),
  });
};
