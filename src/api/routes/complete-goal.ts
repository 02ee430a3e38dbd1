import { completeGoalSchema } from '../../../schema/goal.ts';
import { principalOf, type Route } from '../application.ts';
import { type ApproverNeeds, approverIssue } from '../approver.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('completeGoal', {
  tag: 'goals',
  summary: 'A person declares the goal complete',
});

export const completeGoalRoute: Route<ApproverNeeds | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/complete',
    config,
    schema: { ...describe, params: goalParams, body: completeGoalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'complete' }, () =>
        approverIssue(ports, principalOf(request), goalId),
      );
    },
  });
};
