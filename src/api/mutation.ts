import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Goal } from '../../schema/goal.ts';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { Caller, Role } from '../../schema/role.ts';
import type { StoredRequest } from '../contract/intake.ts';
import type { Mutation, MutationKind } from '../contract/mutation.ts';
import type { Issue } from '../intake/issue.ts';
import { type Ports, principalOf } from './application.ts';
import { admitReplay, answerOnce, hasLeft, storedRequest } from './idempotency.ts';
import { refuse } from './intake-facts.ts';
import { withTargets } from './notify-targets.ts';
import { expectedRevisionOf, setRevision } from './revision.ts';

export type MutationNeeds = 'goals' | 'intake' | 'reader' | 'sealTarget';

/**
 * Every mutation of a goal is stored, committed once, and answered with the goal as that commit
 * left it. `judge` makes the checks that only the API can make; `target` looks up a goal that the
 * path doesn't name, and a `change` that is a function what it carries. A retry of an answered
 * request is never judged again. `afterwards` does what the reconciler would do as well, only
 * sooner: its failure is no failure of the request.
 */
export async function mutateGoal(
  ports: Ports<MutationNeeds>,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  target: string | (() => Promise<string>),
  change: MutationKind | (() => Promise<MutationKind>),
  judge: () => Promise<Issue | null> = async () => null,
  afterwards: (goal: Goal) => Promise<void> = async () => {},
): Promise<unknown> {
  const { request, reply } = exchange;
  const body = (request.body ?? {}) as { expectedRevision?: number; notify?: NotifyTarget[] };
  const expectedRevision = expectedRevisionOf(request, body.expectedRevision);
  const principal = principalOf(request);
  const known = typeof target === 'string' ? target : null;
  const asked = withTargets(ports, storedRequest(request, known), body.notify);
  const mutate = async ({ commitId }: StoredRequest) => {
    refuse(await judge());
    const goalId = typeof target === 'string' ? target : await target();
    const kind = typeof change === 'function' ? await change() : change;
    const by = { role: roleOf(principal, kind), by: principal.name };
    const mutation: Mutation = { commitId, ...by, expectedRevision, ...kind };
    await ports.goals.mutate(mutation, goalId);
  };
  const answer = await answerOnce(ports.intake, asked, mutate, hasLeft(request));
  await admitReplay(ports, exchange, answer);
  await afterwards(answer.body as Goal).catch((error: unknown) => {
    request.log.warn({ err: error, goalId: known }, 'left to the reconciler');
  });
  setRevision(reply, answer.body as { revision: number });
  return reply.code(answer.httpStatus).send(answer.body);
}

/** What a trigger says is a program's, whatever role its owner has. */
const roleOf = ({ role, isTrigger }: Caller, { kind }: MutationKind): Role =>
  isTrigger && kind === 'message' ? 'agent' : role;
