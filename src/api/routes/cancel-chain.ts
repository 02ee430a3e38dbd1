import { cancelChainSchema, goalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = operation('cancelChain', {
  tag: 'goals',
  summary: 'Cancel the wakes that the model asked for: a goal that waits for one pauses',
  answer: goalSchema,
});

export const cancelChainRoute: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/chain/cancel',
    config,
    schema: { ...describe, params: goalParams, body: cancelChainSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'cancel_chain' });
    },
  });
};
