import { cancelChainSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('cancelChain', {
  tag: 'goals',
  summary: 'Cancel the wakes that the model asked for: a goal that waits for one pauses',
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
