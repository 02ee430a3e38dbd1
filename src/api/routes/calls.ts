import { z } from 'zod';
import { outcomeSchema } from '../../../schema/ledger.ts';
import { wordSchema } from '../../../schema/text.ts';
import { callSchema } from '../../../schema/turn.ts';
import { Refusal } from '../../contract/failures.ts';
import type { CallFilter } from '../../contract/reads.ts';
import type { Route } from '../application.ts';
import { goalParams, operation, pageOf, pageQuery } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const list = operation('listCalls', {
  tag: 'record',
  summary: 'Calls, newest first: the two rows of each in the ledger as one',
  answer: pageOf(callSchema),
});

const one = operation('getCall', {
  tag: 'record',
  summary: 'One call by the number of either of its rows, with what the model saw of its output',
  answer: callSchema.extend({ text: z.string().nullable() }),
});

const querystring = z.strictObject({
  tool: wordSchema(120).optional(),
  outcome: z.enum([...outcomeSchema.options, 'running']).optional(),
  turn: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  q: wordSchema(200).optional(),
  ...pageQuery,
});

const params = goalParams.extend({ seq: z.coerce.number().int().min(1).max(2_147_483_647) });

export const callRoutes: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/calls',
    config: list.config,
    schema: { ...list.describe, params: goalParams, querystring },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const present = Object.entries(request.query).filter(([, value]) => value !== undefined);
      return ports.reader.calls(goalId, Object.fromEntries(present) as unknown as CallFilter);
    },
  });
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/calls/:seq',
    config: one.config,
    schema: { ...one.describe, params },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { seq } = request.params;
      const call = await ports.reader.call(goalId, seq);
      if (call !== null) return call;
      const { items } = await ports.reader.calls(goalId, { limit: 1 });
      const newest = items[0]?.settledSeq ?? items[0]?.startedSeq ?? 0;
      const has = newest === 0 ? 'it has none yet' : `its newest call is in row ${newest}`;
      const why = `The ledger of ${goalId} has no row ${seq} of a call: ${has}.`;
      throw new Refusal('not_found', why, { goalId, seq, field: 'seq' });
    },
  });
};
