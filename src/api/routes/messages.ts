import { takeBackSchema } from '../../../schema/goal.ts';
import { messagesSchema } from '../../../schema/sent-message.ts';
import { wordSchema } from '../../../schema/text.ts';
import type { Route } from '../application.ts';
import { goalParams, mutation, operation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const list = operation('listMessages', {
  tag: 'goals',
  summary: 'The newest messages that people and programs sent: read, waiting or taken back',
  answer: messagesSchema,
});

const back = mutation('takeBackMessage', {
  tag: 'goals',
  summary: 'Take a message back that no model call has read',
});

const params = goalParams.extend({ messageId: wordSchema(200) });

export const messageRoutes: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/messages',
    config: list.config,
    schema: { ...list.describe, params: goalParams },
    handler: async (request) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return { items: await ports.reader.sentMessages(goalId) };
    },
  });
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/messages/:messageId/take-back',
    config: back.config,
    schema: { ...back.describe, params, body: takeBackSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const { messageId } = request.params;
      return mutateGoal(ports, { request, reply }, goalId, { kind: 'take_back', messageId });
    },
  });
};
