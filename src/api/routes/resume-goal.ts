import { goalSchema, resumeGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { assertReviewers } from '../criteria-support.ts';
import { existingGoal } from '../goal-lookup.ts';
import { assertModel } from '../model-choice.ts';
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
      const goal = await existingGoal(ports.reader, request.params.goalId);
      const change = { kind: 'resume', acknowledge: request.body.acknowledge === true } as const;
      // Keys and prices may have gone since it was paused.
      return mutateGoal(ports, { request, reply }, goal.goalId, change, async () => {
        const { model, fallbackModel, criteria, budget } = goal;
        assertModel(ports.models, 'model', model, budget.costUsd);
        if (budget.costUsd === null) return;
        if (fallbackModel)
          assertModel(ports.models, 'fallbackModel', fallbackModel, budget.costUsd);
        assertReviewers(ports.models, criteria, budget.costUsd);
      });
    },
  });
};
