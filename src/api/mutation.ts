import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mutation, MutationKind } from '../goal/state.ts';
import type { ApiPorts } from './application.ts';
import { principalOf } from './application.ts';
import { existingGoal } from './goal-lookup.ts';
import { answerOnce, markReplay, storedRequest } from './idempotency.ts';
import { expectedRevisionOf, setRevision } from './revision.ts';

/**
 * Every mutation of a goal goes this way: stored, committed once, answered with the goal. `check`
 * refuses what only the API can judge; a retry of an answered request is never judged again.
 */
export async function mutateGoal(
  ports: ApiPorts,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  goalId: string,
  change: MutationKind,
  check: () => Promise<void> = async () => {},
): Promise<unknown> {
  const { request, reply } = exchange;
  const body = (request.body ?? {}) as { expectedRevision?: number };
  const expectedRevision = expectedRevisionOf(request, body.expectedRevision);
  const { role, name } = principalOf(request);
  const answer = await answerOnce(ports.intake, storedRequest(request, goalId), async (stored) => {
    await check();
    const { commitId } = stored;
    const mutation: Mutation = { commitId, role, by: name, expectedRevision, ...change };
    const { revision } = await ports.goals.mutate(mutation, goalId);
    const goal = await existingGoal(ports.reader, goalId);
    // Others may have moved the goal on since; the answer names this commit's revision.
    return { httpStatus: 200, body: { ...goal, revision } };
  });
  markReplay(reply, answer.isReplay);
  setRevision(reply, answer.body as { revision: number });
  return reply.code(answer.httpStatus).send(answer.body);
}
