import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import type { NewGoal, StoredRequest, Tree } from '../contract/intake.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
import { resolveGoal } from '../intake/resolve-goal.ts';
import { sightOf } from '../policy/sight.ts';
import { readTraceparent } from '../telemetry/trace-ids.ts';
import { type Ports, principalOf } from './application.ts';
import { lookedAt, servedAs, withBase } from './base.ts';
import { assertBeginning, assertSeenBeginning } from './beginning.ts';
import { admitReplay, answerOnce, goalOfAct, hasLeft, storedRequest } from './idempotency.ts';
import { type IntakeNeeds, orRefuse, readIntakeFacts } from './intake-facts.ts';
import { refuseCommandless, refuseUnkeptNetwork } from './refuse-commands.ts';
import { expectedRevisionOf, setRevision } from './revision.ts';

export type JudgeNeeds = IntakeNeeds | 'scopes' | 'beginnings';
export type AcceptNeeds = 'intake' | 'goals' | 'reader';
export type StartNeeds = JudgeNeeds | AcceptNeeds;

/**
 * Resolves what the caller left open, accepts the goal and starts its execution.
 * @param asks what is to be started; a request that was answered before is answered without it
 */
export async function startGoal(
  ports: Ports<StartNeeds>,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  asks: () => StartGoal | Promise<StartGoal>,
): Promise<unknown> {
  const { request, reply } = exchange;
  const principal = principalOf(request);
  const start = async (stored: StoredRequest) => {
    const input = await asks();
    const goalId = principal.isTrigger === true ? goalOfAct(stored) : undefined;
    const judged = await judgeStart(ports, principal, input, goalId);
    const expectedRevision = expectedRevisionOf(request, input.expectedRevision);
    const asked = { principal, stored, input: { ...input, expectedRevision }, log: request.log };
    await acceptStart(ports, asked, withCaller(request, judged));
  };
  const asked = storedRequest(request, null);
  const answer = await answerOnce(ports.intake, asked, start, hasLeft(request));
  const goal = answer.body as Goal;
  await admitReplay(ports, exchange, answer);
  setRevision(reply, goal);
  reply.header('location', `/v1/goals/${goal.goalId}`);
  return reply.code(answer.httpStatus).send(goal);
}

/** The goal's trace links to the one in which it was asked for. */
function withCaller({ headers }: FastifyRequest, judged: JudgedStart): JudgedStart {
  const { traceparent } = headers;
  if (readTraceparent(traceparent) === null) return judged;
  return { ...judged, goal: { ...judged.goal, callerTrace: String(traceparent) } };
}

export interface JudgedStart {
  readonly goal: NewGoal;
  /** Registered with the goal; null = its workspace is served. */
  readonly tree: Tree | null;
}

/**
 * All that a start is judged by, of whoever asks for it.
 * @param goalId of an act that begins one goal at most; a new one without it
 * @throws Refusal
 */
export async function judgeStart(
  ports: Ports<JudgeNeeds>,
  principal: Caller,
  input: StartGoal,
  goalId?: string,
): Promise<JudgedStart> {
  const facts = await readIntakeFacts(ports, principal, input, goalId);
  await assertSeenBeginning(ports, principal, input.workspace?.from);
  const { goal, workspace } = orRefuse(resolveGoal(input, facts));
  const tree = await lookedAt(ports, workspace);
  const place = tree ?? servedAs(facts, goal.workspace);
  await assertBeginning(ports, place, input.workspace?.from);
  const placed: NewGoal[] = [];
  for (const one of [goal, ...(goal.following ?? [])])
    placed.push(await placedAt(ports, one, place));
  const [first = goal, ...following] = placed;
  return { goal: { ...first, following }, tree };
}

/** @throws Refusal where this workspace is none for the goal */
async function placedAt(
  ports: Ports<JudgeNeeds>,
  goal: NewGoal,
  place: LookedWorkspace,
): Promise<NewGoal> {
  await refuseCommandless(ports, goal, place);
  await refuseUnkeptNetwork(ports, goal, place);
  return { ...(await withBase(ports.scopes, goal, place)), workspace: place.name };
}

interface Asked {
  readonly principal: Caller;
  readonly stored: StoredRequest;
  readonly input: StartGoal;
  readonly log: { warn(about: object, message: string): void };
}

/** A folder that is not served yet gets its name with the goal, so a refused start leaves none. */
export async function acceptStart(
  ports: Ports<AcceptNeeds>,
  { principal, stored, input, log }: Asked,
  { goal, tree }: JudgedStart,
): Promise<void> {
  const { expectedGoalId, expectedRevision, replace } = input;
  const sight = sightOf(principal);
  const slot = { expectedGoalId, expectedRevision, replace: replace === true, sight };
  const accepted = await ports.intake.startGoal(stored, goal, slot, tree);
  // The goal is accepted; the reconciler repairs later failures, and the caller gets no error.
  const afterwards = [startUnlessStarted(ports, accepted.goal.goalId)];
  if (accepted.replaced !== null) afterwards.push(ports.goals.endReplaced(accepted.replaced));
  for (const outcome of await Promise.allSettled(afterwards)) {
    if (outcome.status === 'rejected') {
      log.warn({ err: outcome.reason, goalId: accepted.goal.goalId }, 'left to the reconciler');
    }
  }
}

/** A retry may come long after the start: only a goal that nothing runs yet is started. */
export async function startUnlessStarted(
  ports: Ports<'reader' | 'goals'>,
  goalId: string,
): Promise<void> {
  const reach = await ports.reader.reach(goalId);
  if (reach === null || reach.runId !== null || reach.isArchived || reach.status !== 'active')
    return;
  await ports.goals.ensureStarted({ goalId, epoch: reach.epoch });
}
