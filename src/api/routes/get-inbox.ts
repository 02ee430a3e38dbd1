import { z } from 'zod';
import { inboxSchema } from '../../../schema/inbox.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';

const { config, describe } = operation('getInbox', {
  tag: 'approvals',
  summary: 'All that waits for a person: approvals, proposals, questions, disputes, spent budgets',
  answer: inboxSchema,
});

const querystring = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

export const getInboxRoute: Route<'reader'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/inbox',
    config,
    schema: { ...describe, querystring },
    handler: async (request) => {
      const sight = sightOf(principalOf(request));
      const { items, total } = await ports.reader.inbox(sight, request.query.limit);
      const goalIds = [...new Set(items.map(({ goalId }) => goalId))];
      if (goalIds.length === 0) return { items, total, goals: [] };
      const filter = { sight, goalIds, sort: 'newest', archived: true } as const;
      const goals = await ports.reader.goals({ ...filter, limit: goalIds.length });
      return { items, total, goals: goals.items };
    },
  });
};
