import { answerSchema } from '../../../schema/goal.ts';
import { principalOf, type Route } from '../application.ts';
import { goalParams, mutation } from '../contract.ts';
import { existingGoal } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';
import { withAttachments } from '../named-attachments.ts';

const { config, describe } = mutation('answerQuestion', {
  tag: 'goals',
  summary: 'Answer the open question',
});

export const answerQuestionRoute: Route<'reader' | 'attachments' | MutationNeeds> = (
  application,
  ports,
) => {
  application.route({
    method: 'POST',
    url: '/v1/goals/:goalId/answers',
    config,
    schema: { ...describe, params: goalParams, body: answerSchema },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      return mutateGoal(ports, { request, reply }, goalId, () =>
        withAttachments(ports, principalOf(request), request.body.attachments, {
          kind: 'answer',
          questionId: request.body.questionId,
        }),
      );
    },
  });
};
