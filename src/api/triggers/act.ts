import type { Goal } from '../../../schema/goal.ts';
import { PROBLEMS, type Problem } from '../../../schema/problem.ts';
import type {
  ClaimedTriggerDelivery,
  SettledDelivery,
  TriggerAct,
} from '../../contract/triggers.ts';
import { actingAs, sightOf } from '../../policy/sight.ts';
import type { CallAs, OwnerOf, Ports } from '../application.ts';

export type ActNeeds = 'triggers' | 'lookNow';

interface Acting extends Ports<ActNeeds> {
  readonly callAs: CallAs;
  readonly ownerOf: OwnerOf;
}

/** Seconds before the next try, by those that failed; behind the last ones, every ten minutes. */
const DELAYS = [1, 2, 5, 15, 60, 300];
const LAST_DELAY = 600;
/** A sender repeats for no longer than a day, and nobody expects its act after that. */
const MOST_MS = 24 * 3_600_000;

/**
 * Does what a delivery asks for, if nobody does already; null asks for the next one that is due. A
 * process that dies in here leaves it to the next round: whatever was done has a key made of the
 * delivery, by which it is found and not repeated.
 * @returns whether there was one
 */
export async function actOnDelivery(acting: Acting, deliveryId: string | null): Promise<boolean> {
  const claimed = await acting.triggers.claim(deliveryId);
  if (claimed === null) return false;
  const end = await endOf(acting, claimed).catch((error: Error) => ({
    problem: { code: 'internal', detail: error.message } as const,
  }));
  if (end !== null) {
    const settled = 'problem' in end ? afterProblem(claimed, end.problem) : end;
    await acting.triggers.settle(claimed.deliveryId, settled);
  }
  return true;
}

type Told = Pick<Problem, 'code' | 'detail'>;
type End = SettledDelivery | { readonly problem: Told } | null;

function endOf(acting: Acting, claimed: ClaimedTriggerDelivery): Promise<End> {
  const { act } = claimed;
  switch (act.kind) {
    case 'start':
      return startGoal(acting, claimed, act);
    case 'message':
      return sendMessage(acting, claimed, act);
    case 'event':
      return tellEvent(acting, { ...claimed, act });
  }
}

async function startGoal(
  { callAs }: Acting,
  { deliveryId, owner, ownerRole: role }: ClaimedTriggerDelivery,
  { goal }: Extract<TriggerAct, { kind: 'start' }>,
): Promise<End> {
  // A program means one job: words of a thread's earlier goal are for who asks for them.
  const { threadId, conversation = 'new' } = goal;
  const body = threadId === undefined ? goal : { ...goal, conversation };
  const key = `trigger-${deliveryId}`;
  const answer = await callAs({ owner, role, method: 'POST', url: '/v1/goals', body, key });
  if (answer === null) return ownerEnded(owner);
  if (answer.status >= 400) return { problem: answer.body as Problem };
  const { goalId } = answer.body as Goal;
  return done(`started ${goalId}`, goalId);
}

async function sendMessage(
  acting: Acting,
  claimed: ClaimedTriggerDelivery,
  act: Extract<TriggerAct, { kind: 'message' }>,
): Promise<End> {
  const { deliveryId, owner, ownerRole: role } = claimed;
  const found = await targetOf(acting, claimed, act);
  if (typeof found !== 'string') return found;
  const url = `/v1/goals/${encodeURIComponent(found)}/messages`;
  const body = { text: act.text };
  const key = `trigger-${deliveryId}`;
  const answer = await acting.callAs({ owner, role, method: 'POST', url, body, key });
  if (answer === null) return ownerEnded(owner);
  if (answer.status >= 400) return { problem: answer.body as Problem };
  return done(`said to ${found}`, found);
}

/** Kept before anything is sent: a second try must not find another goal in the thread. */
async function targetOf(
  { callAs, triggers }: Acting,
  { deliveryId, owner, ownerRole: role, goalId }: ClaimedTriggerDelivery,
  act: Extract<TriggerAct, { kind: 'message' }>,
): Promise<string | End> {
  const known = goalId ?? act.goalId;
  if (known !== undefined && known !== null) return known;
  const url = `/v1/threads/${encodeURIComponent(act.threadId ?? '')}/goal`;
  const answer = await callAs({ owner, role, method: 'GET', url });
  if (answer === null) return ownerEnded(owner);
  if (answer.status >= 400) return { problem: answer.body as Problem };
  return triggers.target(deliveryId, (answer.body as Goal).goalId);
}

async function tellEvent(
  { triggers, ownerOf, lookNow }: Acting,
  claimed: ClaimedTriggerDelivery & { readonly act: Extract<TriggerAct, { kind: 'event' }> },
): Promise<End> {
  const owner = await ownerOf(claimed.owner);
  if (owner === null) return ownerEnded(claimed.owner);
  const sight = sightOf(actingAs(owner, claimed.ownerRole));
  const waiting = await triggers.tellEvent(claimed, sight);
  // A goal that isn't told looks by itself, within a minute.
  await Promise.allSettled(waiting.map((goal) => lookNow(goal)));
  return null;
}

const done = (text: string, goalId: string): SettledDelivery => ({
  state: 'done',
  outcome: { text, goalId },
});

const ownerEnded = (owner: string): SettledDelivery => ({
  state: 'refused',
  outcome: {
    place: 'owner',
    text: `The token ${owner} has ended, so nothing was done: make the trigger anew with another one.`,
  },
});

/** What the service refuses stays refused; what it can't do now is tried again for a day. */
function afterProblem(
  { attempts, receivedAt }: ClaimedTriggerDelivery,
  { code, detail }: Told,
): SettledDelivery {
  const outcome = { place: code, text: detail };
  const { status } = PROBLEMS[code] ?? { status: 500 };
  const isPassing = status >= 500 || code === 'rate_limited' || code === 'request_in_progress';
  if (!isPassing) return { state: 'refused', outcome };
  if (Date.now() - Date.parse(receivedAt) > MOST_MS) return { state: 'failed', outcome };
  const retryInSeconds = DELAYS[attempts - 1] ?? LAST_DELAY;
  return { state: 'pending', outcome, retryInSeconds };
}
