import { workerSchema } from '../../../schema/operations.ts';
import type { Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';

const { config, describe } = operation('listWorkers', {
  tag: 'service',
  summary: 'Workers of the last day: what they run and serve, and when they were last seen',
  answer: pageOf(workerSchema),
});

export const listWorkersRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/workers',
    config,
    schema: describe,
    handler: async () => ({ items: await ports.reader.workers(), nextCursor: null }),
  });
};
