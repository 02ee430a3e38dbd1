import { resumeGoalSchema } from '../../../schema/goal.ts';
import { resumptionIssue } from '../../intake/resolve-amendment.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { modelFacts } from '../intake-facts.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('resumeGoal', {
  tag: 'goals',
  summary: 'Go on; every streak begins again, no total does',
});

export const resumeGoalRoute: Route<'models' | 'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/resume',
    config,
    schema: { ...describe, params: goalParams, body: resumeGoalSchema },
    handler: async (request, reply) => {
      const goal = await existingGoal(ports.reader, request.params.goalId);
      const change = { kind: 'resume', acknowledge: request.body.acknowledge === true } as const;
      return mutateGoal(ports, { request, reply }, goal.goalId, change, async () =>
        resumptionIssue(modelFacts(ports.models), goal),
      );
    },
  });
};
