import type { Route } from '../application.ts';
import { jsonPage, operation } from '../contract.ts';

const { config, describe } = operation('listWorkers', {
  tag: 'service',
  summary: 'Workers and when they were last seen',
  answer: jsonPage,
});

export const listWorkersRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/workers',
    config,
    schema: describe,
    handler: async () => ({ items: await ports.reader.workers(), nextCursor: null }),
  });
};
