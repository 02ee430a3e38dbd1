import { z } from 'zod';
import { approvalSchema } from '../../../schema/approval.ts';
import { wordSchema } from '../../../schema/text.ts';
import { sightOf } from '../../policy/sight.ts';
import { principalOf, type Route } from '../application.ts';
import { operation, pageOf } from '../contract.ts';

const { config, describe } = operation('listApprovals', {
  tag: 'approvals',
  summary: 'What waits for the decision of a person',
  answer: pageOf(approvalSchema),
});

const querystring = z.strictObject({
  goalId: wordSchema(80).optional(),
  state: z.enum(['open', 'all']).default('open'),
});

export const listApprovalsRoute: Route<'reader' | 'settings'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/approvals',
    config,
    schema: { ...describe, querystring },
    handler: async (request) => {
      const { goalId, state } = request.query;
      const sight = sightOf(principalOf(request));
      const items = await ports.reader.approvals({
        state,
        sight,
        ...(goalId !== undefined && { goalId }),
      });
      // Where a second person grants each call, nobody grants it beforehand.
      const isOffered = ports.settings.approvers === 'anybody';
      const shown = isOffered ? items : items.map((one) => ({ ...one, always: null }));
      return { items: shown, nextCursor: null };
    },
  });
};
