import type { Route } from '../application.ts';
import { jsonPage, operation } from '../contract.ts';

const { config, describe } = operation('listWorkspaces', {
  tag: 'service',
  summary: 'Workspaces that goals can name',
  answer: jsonPage,
});

export const listWorkspacesRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/workspaces',
    config,
    schema: describe,
    handler: async () => ({ items: await ports.reader.workspaces(), nextCursor: null }),
  });
};
