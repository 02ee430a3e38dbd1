import { pauseGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('pauseGoal', {
  tag: 'goals',
  summary: 'Pause: the running turn stops at its next call',
});

export const pauseGoalRoute: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/pause',
    config,
    schema: { ...describe, params: goalParams, body: pauseGoalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'pause' });
    },
  });
};
