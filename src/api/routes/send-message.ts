import { messageSchema } from '../../../schema/goal.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';
import { withAttachments } from '../named-attachments.ts';

const { config, describe } = mutation('sendMessage', {
  tag: 'goals',
  summary: 'Say something to the goal',
});

export const sendMessageRoute: Route<'reader' | 'attachments' | MutationNeeds> = (
  application,
  ports,
) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/messages',
    config,
    schema: { ...describe, params: goalParams, body: messageSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { attachments, delivery = 'pause' } = request.body;
      return mutateGoal(ports, { request, reply }, goalId, () =>
        withAttachments(ports, principalOf(request), attachments, {
          kind: 'message',
          ...(delivery === 'now' ? { delivery: 'steer', stopsCommand: true } : { delivery }),
        }),
      );
    },
  });
};
