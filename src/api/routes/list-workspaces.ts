import { z } from 'zod';
import type { Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';

const workspace = z.object({
  name: z.string(),
  path: z.string(),
  host: z.string(),
  /** The goal that holds it now. */
  leaseGoalId: z.string().nullable(),
  /** The check that somebody tries there now. */
  leaseCheckId: z.string().nullable(),
  writeSeq: z.int(),
});

const { config, describe } = operation('listWorkspaces', {
  tag: 'service',
  summary: 'Workspaces that goals can name',
  answer: pageOf(workspace),
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
