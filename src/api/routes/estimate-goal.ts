import { estimateSchema } from '../../../schema/estimate.ts';
import { startGoalSchema } from '../../../schema/goal.ts';
import { principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';
import { type EstimateNeeds, estimateGoal } from '../estimate-goal.ts';

const { config, describe } = operation('estimateGoal', {
  tag: 'goals',
  summary: 'What a start with this body would enforce and may cost; starts nothing',
  answer: estimateSchema,
});

export const estimateGoalRoute: Route<EstimateNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/estimate',
    config,
    schema: { ...describe, body: startGoalSchema },
    handler: (request) => estimateGoal(ports, principalOf(request), request.body),
  });
};
