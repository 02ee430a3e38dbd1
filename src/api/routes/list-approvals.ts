import { z } from 'zod';
import type { Route } from '../application.ts';
import { jsonPage, operation } from '../contract.ts';

const { config, describe } = operation('listApprovals', {
  tag: 'approvals',
  summary: 'What waits for the decision of a person',
  answer: jsonPage,
});

const querystring = z.strictObject({
  goalId: z.string().min(1).max(80).optional(),
  state: z.enum(['open', 'all']).default('open'),
});

export const listApprovalsRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/approvals',
    config,
    schema: { ...describe, querystring },
    handler: async (request) => {
      const { goalId, state } = request.query;
      const items = await ports.reader.approvals(
        goalId === undefined ? { state } : { goalId, state },
      );
      return { items, nextCursor: null };
    },
  });
};
