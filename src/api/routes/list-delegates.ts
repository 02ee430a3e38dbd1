import { delegateListSchema } from '../../../schema/delegate.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('listDelegates', {
  tag: 'record',
  summary: 'Whom the goal handed work to, and whom they did: what became of it and what it cost',
  answer: delegateListSchema,
});

export const listDelegatesRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/delegates',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { items: await ports.reader.delegates(goalId) };
    },
  });
};
