import { goalSchema } from '../../../schema/goal.ts';
import type { Route } from '../application.ts';
import { operation, threadParams } from '../contract.ts';
import { noThreadGoal, threadGoalInSight } from '../goal-lookup.ts';
import { setRevision } from '../revision.ts';

const { config, describe } = operation('getThreadGoal', {
  tag: 'threads',
  summary: 'The current goal of a thread',
  answer: goalSchema,
});

export const getThreadGoalRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/threads/:threadId/goal',
    config,
    schema: { ...describe, params: threadParams },
    handler: async (request, reply) => {
      const goal = await threadGoalInSight(ports.reader, request);
      if (goal === null) throw noThreadGoal(request.params.threadId);
      setRevision(reply, goal);
      return goal;
    },
  });
};
