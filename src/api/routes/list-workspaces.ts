import { z } from 'zod';
import { type Isolation, isolationSchema } from '../../../schema/isolation.ts';
import type { Caller } from '../../../schema/role.ts';
import { sees, sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';
import { seenWorkspaces } from '../seen-workspaces.ts';

const shownWorkspace = z.object({
  name: z.string(),
  path: z.string(),
  host: z.string(),
  /** The goal that holds it now. */
  leaseGoalId: z.string().nullable(),
  /** The check that somebody tries there now. */
  leaseCheckId: z.string().nullable(),
  writeSeq: z.int(),
  /** Why no worktree is made of its repository, behind its name; null = nothing is in the way. */
  worktreeProblem: z.string().nullable(),
  /** Of commands there, by the worker of its host that has the least; null = none lives there. */
  isolation: isolationSchema.nullable(),
  /** Goals that wait for it, in the order in which they go. */
  queue: z.array(
    z.object({
      /** null: out of the caller's sight. */
      goalId: z.string().nullable(),
      priority: z.int(),
    }),
  ),
});

const { config, describe } = operation('listWorkspaces', {
  tag: 'service',
  summary: 'Workspaces that goals can name',
  answer: pageOf(shownWorkspace),
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
      const workers = (await ports.reader.workers()).filter(({ state }) => state !== 'lost');
      const items = workspaces.map(async (one) => ({
        ...(await withSeenGoals(ports, caller, one)),
        isolation: leastOf(workers.filter(({ host }) => host === one.host)),
      }));
      return { items: await Promise.all(items), nextCursor: null };
    },
  });
};

/** A goal may get any of a host's workers. */
const leastOf = (workers: readonly { readonly isolation: Isolation }[]): Isolation | null =>
  WEAKEST_FIRST.find((one) => workers.some(({ isolation }) => isolation === one)) ?? null;

const WEAKEST_FIRST: readonly Isolation[] = ['none', 'partial', 'full'];

type Workspace = Awaited<ReturnType<typeof seenWorkspaces>>[number];

/** A goal out of sight is not named: the workspace is just held, and a place in the line taken. */
async function withSeenGoals(
  { reader }: Ports<'reader'>,
  caller: Caller,
  workspace: Workspace,
): Promise<Omit<z.infer<typeof shownWorkspace>, 'isolation'>> {
  const sight = sightOf(caller);
  const named = async (goalId: string | null) => {
    if (goalId === null || sight.startedBy === null) return goalId;
    const owner = await reader.owner(goalId);
    return owner !== null && sees(sight, owner) ? goalId : null;
  };
  const queue = workspace.queue.map(async ({ goalId, priority }) => ({
    goalId: await named(goalId),
    priority,
  }));
  const leaseGoalId = await named(workspace.leaseGoalId);
  return { ...workspace, leaseGoalId, queue: await Promise.all(queue) };
}
