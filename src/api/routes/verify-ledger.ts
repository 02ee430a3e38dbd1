import { chainVerdictSchema } from '../../../schema/ledger.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('verifyLedger', {
  tag: 'record',
  summary: 'Is the whole ledger, with every stored output, what was written?',
  answer: chainVerdictSchema,
});

export const verifyLedgerRoute: Route<'ledger' | 'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/ledger/verify',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return ports.ledger.whole(goalId);
    },
  });
};
