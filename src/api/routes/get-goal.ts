import { goalSchema } from '../../../schema/goal.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, operation } from '../contract.ts';
import { goalByPrefix } from '../goal-lookup.ts';
import { setRevision } from '../revision.ts';

const { config, describe } = operation('getGoal', {
  tag: 'goals',
  summary: 'One goal, by its id or a unique beginning of it',
  answer: goalSchema,
});

export const getGoalRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId',
    config,
    schema: { ...describe, params: goalParams },
    handler: async (request, reply) => {
      const goal = await goalByPrefix(
        ports.reader,
        request.params.goalId,
        sightOf(principalOf(request)),
      );
      setRevision(reply, goal);
      return goal;
    },
  });
};
