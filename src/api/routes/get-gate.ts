import { z } from 'zod';
import { trackedCriterionSchema } from '../../../schema/criteria.ts';
import { goalProofSchema } from '../../../schema/goal-proof.ts';
import { proofChangeSchema } from '../../../schema/proof-change.ts';
import { freshnessSchema } from '../../../schema/turn.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('getGate', {
  tag: 'record',
  summary: 'What the gate said last, and how each criterion stands',
  answer: z.object({
    turn: z.int().nullable(),
    missing: z.array(z.string()),
    reasons: z.record(z.string(), z.string()),
    changes: z.array(proofChangeSchema),
    proof: goalProofSchema.nullable(),
    at: z.string().nullable(),
    criteria: z.array(trackedCriterionSchema),
    todos: z.object({ total: z.int(), done: z.int() }),
    freshness: freshnessSchema,
  }),
});

/** The gate's state before the first claim or yield. */
const neverAsked = { turn: null, missing: [], reasons: {}, changes: [], proof: null, at: null };

export const getGateRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/gate',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId, criteria, todos } = await existingGoal(ports.reader, request.params.goalId);
      const last = (await ports.reader.lastGate(goalId)) ?? neverAsked;
      const seqs = criteria.flatMap(({ receipts }) => receipts);
      const freshness = await ports.reader.freshness(goalId, seqs);
      return { ...last, criteria, todos: { total: todos.total, done: todos.done }, freshness };
    },
  });
};
