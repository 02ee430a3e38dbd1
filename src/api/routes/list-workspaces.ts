import { z } from 'zod';
import type { Caller } from '../../../schema/role.ts';
import { sees, sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { seenWorkspaces } from '../seen-workspaces.ts';

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

export const listWorkspacesRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/workspaces',
    config,
    schema: describe,
    handler: async (request) => {
      const caller = principalOf(request);
      const workspaces = await seenWorkspaces(ports, caller);
      const items = workspaces.map((one) => withSeenLease(ports, caller, one));
      return { items: await Promise.all(items), nextCursor: null };
    },
  });
};

/** A goal out of sight is not named; the workspace is just held. */
async function withSeenLease<Held extends { leaseGoalId: string | null }>(
  { reader }: Ports<'reader'>,
  caller: Caller,
  workspace: Held,
): Promise<Held> {
  const sight = sightOf(caller);
  if (workspace.leaseGoalId === null || sight.startedBy === null) return workspace;
  const owner = await reader.owner(workspace.leaseGoalId);
  return owner !== null && sees(sight, owner) ? workspace : { ...workspace, leaseGoalId: null };
}
