import { clearGoalSchema, type Goal } from '../../../schema/goal.ts';
import { wordSchema } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Route } from '../application.ts';
import { mutation, threadParams } from '../contract.ts';
import { threadGoalInSight } from '../goal-lookup.ts';
import { type MutationNeeds, mutateGoal } from '../mutation.ts';

const { config, describe } = mutation('deleteThreadGoal', {
  tag: 'threads',
  summary: 'Clear the current goal of a thread; its record stays',
});

const body = clearGoalSchema.extend({
  expectedGoalId: wordSchema(80).nullable().optional(),
});

export const deleteThreadGoalRoute: Route<'reader' | MutationNeeds> = (application, ports) => {
  application.route({
    method: 'DELETE',
    url: '/v1/threads/:threadId/goal',
    config,
    schema: { ...describe, params: threadParams, body: body },
    handler: (request, reply) => {
      const { expectedGoalId } = request.body;
      const target = async () =>
        expectedGoal(await threadGoalInSight(ports.reader, request), expectedGoalId);
      return mutateGoal(ports, { request, reply }, target, { kind: 'clear' });
    },
  });
};

/** A check before the mutation is enough, because the mutation names the goal that it clears. */
function expectedGoal(goal: Goal | null, expectedGoalId: string | null | undefined): string {
  const actualGoalId = goal?.goalId ?? null;
  if (expectedGoalId !== undefined && expectedGoalId !== actualGoalId) {
    throw new Refusal('goal_conflict', 'The thread has another goal than was expected.', {
      expectedGoalId,
      actualGoalId,
      actualRevision: goal?.revision ?? null,
    });
  }
  if (actualGoalId !== null) return actualGoalId;
  throw new Refusal('not_found', 'The thread has no current goal.');
}
