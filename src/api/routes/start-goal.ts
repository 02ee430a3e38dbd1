import { startGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { mutation } from '../contract.ts';
import { type StartNeeds, startGoal } from '../start-goal.ts';

const { config, describe } = mutation('startGoal', {
  tag: 'goals',
  summary: 'Start a goal, or replace the current one of its thread',
  status: 201,
});

export const startGoalRoute: Route<StartNeeds> = (application, ports) => {
  application.route({
    method: 'POST',
    url: '/v1/goals',
    config,
    schema: { ...describe, body: startGoalSchema },
    handler: (request, reply) => startGoal(ports, { request, reply }, () => request.body),
  });
};
