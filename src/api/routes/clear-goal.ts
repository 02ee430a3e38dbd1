import { clearGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('clearGoal', {
  tag: 'goals',
  summary: 'Archive the goal; its record stays',
});

export const clearGoalRoute: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/clear',
    config,
    schema: { ...describe, params: goalParams, body: clearGoalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'clear' });
    },
  });
};
