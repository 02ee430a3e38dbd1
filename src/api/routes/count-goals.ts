import { goalCountsSchema } from '../../../schema/goal-counts.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';

const { config, describe } = operation('countGoals', {
  tag: 'goals',
  summary: 'How many goals there are, by status and by who acts next',
  answer: goalCountsSchema,
});

export const countGoalsRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/counts',
    config,
    schema: describe,
    handler: (request) => ports.reader.goalCounts(sightOf(principalOf(request))),
  });
};
