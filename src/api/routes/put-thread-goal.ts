import { threadGoalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { mutation, newThreadParams } from '../contract.ts';
import { type StartNeeds, startGoal } from '../start-goal.ts';

const { config, describe } = mutation('putThreadGoal', {
  tag: 'threads',
  summary: 'Give a thread its goal; expectedGoalId says what is there now',
  status: 201,
});

export const putThreadGoalRoute: Route<StartNeeds> = (application, ports) => {
  application.route({
    method: 'PUT',
    url: '/v1/threads/:threadId/goal',
    config,
    schema: {
      ...describe,
      params: newThreadParams,
      body: threadGoalSchema,
    },
    handler: (request, reply) => {
      const { threadId } = request.params;
      return startGoal(ports, { request, reply }, () => ({ ...request.body, threadId }));
    },
  });
};
