import { z } from 'zod';
import { fileChangesSchema, goalChangesSchema } from '../../../schema/changes.ts';
import { checkpointsSchema, goalDiffSchema, rewindGoalSchema } from '../../../schema/checkpoint.ts';
import type { Ports, Route } from '../application.ts';
import { assertTurn } from '../assert-turn.ts';
import { goalParams, mutation, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const kept = operation('listCheckpoints', {
  tag: 'record',
  summary: 'What the workspace can be compared with and taken back to, oldest first',
  answer: checkpointsSchema,
});

const diff = operation('getDiff', {
  tag: 'record',
  summary: 'Files that differ between two turns, or between a turn and now',
  answer: goalDiffSchema,
});

const changed = operation('listChanges', {
  tag: 'record',
  summary: 'Files that differ, whether they are in scope, and which criteria they judge',
  answer: goalChangesSchema,
});

const fileOf = operation('getFileChanges', {
  tag: 'record',
  summary: 'One file’s changed lines, with the turns and calls that wrote them',
  answer: fileChangesSchema,
});

const rewind = mutation('rewindGoal', {
  tag: 'goals',
  summary: 'Take workspace and todo list back to the state after a turn; leaves the goal paused',
});

const end = z
  .string()
  .regex(/^(\d{1,7}|[tra]\d{1,7}(\.\d{1,7})?|now)$/, 'a turn, the name of a checkpoint, or "now"')
  .optional();

const ends = {
  /** Absent = before the first write. */
  from: end,
  /** Absent = now. */
  to: end,
  cursor: z
    .string()
    .regex(/^\d{1,7}$/)
    .optional(),
};

const limit = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual);

const querystring = z.strictObject({
  ...ends,
  /** `true` = only the files' names and numbers of lines. */
  stat: z.enum(['true', 'false']).default('false'),
  limit: limit(200, 50),
});

const listQuery = z.strictObject({ ...ends, limit: limit(5000, 1000) });

const fileQuery = z.strictObject({
  ...ends,
  path: z.string().min(1).max(4096).describe('As the list of changes names it'),
  limit: limit(2000, 500).describe('Lines'),
});

export const changeRoutes: Route<'changes' | 'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/checkpoints',
    config: kept.config,
    schema: { ...kept.describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return ports.changes.checkpoints(goalId);
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/diff',
    config: diff.config,
    schema: { ...diff.describe, params: goalParams, querystring },
    handler: async (request) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      await assertEnds(ports, goal.goalId, request.query);
      const { from, to, stat, cursor = '0', limit } = request.query;
      const page = { offset: Number(cursor), limit, isStat: stat === 'true' };
      return ports.changes.diff(goal, { from, to, ...page });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/changes',
    config: changed.config,
    schema: { ...changed.describe, params: goalParams, querystring: listQuery },
    handler: async (request) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      await assertEnds(ports, goal.goalId, request.query);
      const { cursor = '0', ...query } = request.query;
      return ports.changes.list(goal, { ...query, offset: Number(cursor) });
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/changes/file',
    config: fileOf.config,
    schema: { ...fileOf.describe, params: goalParams, querystring: fileQuery },
    handler: async (request) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      await assertEnds(ports, goal.goalId, request.query);
      const { cursor = '0', path, ...query } = request.query;
      return ports.changes.file(goal, path, { ...query, offset: Number(cursor) });
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/rewind',
    config: rewind.config,
    schema: { ...rewind.describe, params: goalParams, body: rewindGoalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { turn } = request.body;
      if (turn !== undefined) await assertTurn(ports, goalId, turn);
      const to = turn === undefined ? ('before_rewind' as const) : { turn };
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'rewind', to });
    },
  });
};

/**
 * The state after a turn that was never begun is none: it is not that of the turn before it.
 * @throws Refusal
 */
async function assertEnds(
  ports: Ports<'reader'>,
  goalId: string,
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<void> {
  for (const field of ['from', 'to'] as const) {
    const end = asked[field] ?? '';
    if (/^\d+$/.test(end)) await assertTurn(ports, goalId, Number(end), field);
  }
}
