import { goalSchema, resumeGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { mutateGoal } from '../mutation.ts';

const { config, describe } = operation('resumeGoal', {
  tag: 'goals',
  summary: 'Go on; every streak begins again, no total does',
  answer: goalSchema,
});

export const resumeGoalRoute: Route = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/resume',
    config,
    schema: { ...describe, params: goalParams, body: resumeGoalSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, {
        kind: 'resume',
        acknowledge: request.body.acknowledge === true,
      });
    },
  });
};
