import { z } from 'zod';
import { checkpointsSchema, goalDiffSchema, rewindGoalSchema } from '../../../schema/checkpoint.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const list = operation('listCheckpoints', {
  tag: 'record',
  summary: 'What the workspace can be compared with and taken back to, oldest first',
  answer: checkpointsSchema,
});

const diff = operation('getDiff', {
  tag: 'record',
  summary: 'Files that differ between two turns, or between a turn and now',
  answer: goalDiffSchema,
});

const rewind = mutation('rewindGoal', {
  tag: 'goals',
  summary: 'Take workspace and todo list back to the state after a turn; leaves the goal paused',
});

const end = z
  .string()
  .regex(/^(\d{1,7}|[tra]\d{1,7}(\.\d{1,7})?|now)$/, 'a turn, the name of a checkpoint, or "now"')
  .optional();

const querystring = z.strictObject({
  /** Absent = before the first write. */
  from: end,
  /** Absent = now. */
  to: end,
  /** `true` = only the files' names and numbers of lines. */
  stat: z.enum(['true', 'false']).default('false'),
  cursor: z
    .string()
    .regex(/^\d{1,7}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const changeRoutes: Route<'changes' | 'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/checkpoints',
    config: list.config,
    schema: { ...list.describe, params: goalParams },
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
      const { from, to, stat, cursor = '0', limit } = request.query;
      const page = { offset: Number(cursor), limit, isStat: stat === 'true' };
      return ports.changes.diff(goal, { from, to, ...page });
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
      const to = turn === undefined ? ('before_rewind' as const) : { turn };
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'rewind', to });
    },
  });
};
