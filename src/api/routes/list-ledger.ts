import { z } from 'zod';
import { chainVerdictSchema, ledgerRowSchema, outcomeSchema } from '../../../schema/ledger.ts';
import { wordSchema } from '../../../schema/text.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import type { Route } from '../application.ts';
import { goalParams, operation, pageOf, pageQuery } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('listLedger', {
  tag: 'record',
  summary: 'The ledger; its first page says whether the hash chain holds',
  answer: pageOf(ledgerRowSchema).extend({ chain: chainVerdictSchema.optional() }),
});

const querystring = z.strictObject({
  tool: wordSchema(120).optional(),
  outcome: outcomeSchema.optional(),
  q: wordSchema(200).optional(),
  ...pageQuery,
});

export const listLedgerRoute: Route<'ledger' | 'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/ledger',
    config,
    schema: { ...describe, params: goalParams, querystring },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const page = await ports.reader.ledger(goalId, withoutAbsent(request.query));
      if (request.query.cursor !== undefined) return page;
      return { ...page, chain: await ports.ledger.quick(goalId) };
    },
  });
};

type LedgerFilter = Parameters<ReaderPort['ledger']>[1];

function withoutAbsent(query: z.infer<typeof querystring>): LedgerFilter {
  const { limit, ...optional } = query;
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { limit, ...Object.fromEntries(present) };
}
