import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearGoalSchema, type Goal, goalSchema } from '../../../schema/goal.ts';
import { Refusal } from '../../goal/errors.ts';
import type { ApiPorts, Route } from '../application.ts';
import { operation, threadParams } from '../contract.ts';
import { answerOnce, markReplay, storedRequest } from '../idempotency.ts';
import { mutateGoal } from '../mutation.ts';

const { config, describe } = operation('deleteThreadGoal', {
  tag: 'threads',
  summary: 'Clear the current goal of a thread; its record stays',
  answer: goalSchema,
});

const body = clearGoalSchema.extend({
  expectedGoalId: z.string().min(1).max(80).nullable().optional(),
});

export const deleteThreadGoalRoute: Route = (application, ports) => {
  application.route({
    method: 'DELETE',
    url: '/v1/threads/:threadId/goal',
    config,
    schema: { ...describe, params: threadParams, body: body },
    handler: async (request, reply) => {
      const goal = await ports.reader.threadGoal(request.params.threadId);
      if (goal === null) return replayOrNotFound(ports, request, reply);
      assertExpected(goal, request.body.expectedGoalId);
      return mutateGoal(ports, { request, reply }, goal.goalId, { kind: 'clear' });
    },
  });
};

/** A retry finds the thread empty, because its first attempt cleared it. */
async function replayOrNotFound(ports: ApiPorts, request: FastifyRequest, reply: FastifyReply) {
  const answer = await answerOnce(ports.intake, storedRequest(request, null), async () => {
    throw new Refusal('not_found', 'The thread has no current goal.');
  });
  markReplay(reply, answer.isReplay);
  return reply.code(answer.httpStatus).send(answer.body);
}

/** Enough before the mutation: that one names the goal it clears, whoever comes next. */
function assertExpected(goal: Goal, expectedGoalId: string | null | undefined): void {
  if (expectedGoalId === undefined || expectedGoalId === goal.goalId) return;
  throw new Refusal('goal_conflict', 'The thread has another goal than was expected.', {
    expectedGoalId,
    actualGoalId: goal.goalId,
    actualRevision: goal.revision,
  });
}
