import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
} from '@temporalio/workflow';
import type { Wait } from '../src/contract/goal-state.ts';
import type { WaitEnd } from '../src/contract/wake-request.ts';
import { waitsAsRequested } from '../src/goal/waits/chain.ts';
import { pollDelaySeconds } from '../src/goal/waits/wake.ts';
import { commitChange } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded } from './failures.ts';
import type { Session } from './session.ts';

/** Condition of a wait, and what ends it early. */
export interface Waiting {
  readonly wait: Wait;
  readonly isChanged: () => boolean;
  /** True when the goal changed or the next run takes over. */
  readonly isCut: () => boolean;
}

/** The wait that the model asked for is over; the commit reads every bound anew. */
export const fireWait = (session: Session, effects: GoalEffects, how: WaitEnd): Promise<void> =>
  commitChange(session, {
    name: 'fire',
    isDue: ({ chart }) => waitsAsRequested(chart),
    commit: (execution, change) => effects.commit.fireWait(execution, { ...change, how }),
  });

/**
 * Polls once for what the model waits for, then pauses for an interval that grows with the wait.
 * The workflow repeats it until the condition holds, the time is over or somebody changes the goal.
 * No state is carried between polls, so a run may continue as new between any two.
 */
export async function lookOnce(
  session: Session,
  effects: GoalEffects,
  { wait, isChanged, isCut }: Waiting,
): Promise<void> {
  const { state } = session;
  if (state === null) return;
  session.isToldToLook = false;
  const end = await look(session, effects, isChanged);
  if (isChanged()) return;
  const left = Date.parse(wait.until ?? wait.since) - Date.now();
  if (end !== null || left <= 0) return await fireWait(session, effects, end ?? 'timed_out');
  const waited = (Date.now() - Date.parse(wait.since)) / 1000;
  const seconds = pollDelaySeconds(waited, state.policy.continuation);
  const isOver = () => isCut() || session.isToldToLook;
  await condition(isOver, Math.max(1, Math.min(left, seconds * 1000)));
}

/** Null when the condition doesn't hold yet, or no worker could look. */
async function look(
  session: Session,
  effects: GoalEffects,
  isChanged: () => boolean,
): Promise<WaitEnd | null> {
  const scope = new CancellationScope({ cancellable: true });
  const cut = scope.run(() => condition(isChanged)).then(() => scope.cancel());
  cut.catch(() => {});
  session.isLooking = true;
  try {
    return await scope.run(() => effects.poll.lookForWait(session.execution));
  } catch (error) {
    if (isSuperseded(error)) throw error;
    if (isCancellation(error) || error instanceof ActivityFailure) return null;
    throw error;
  } finally {
    session.isLooking = false;
    scope.cancel();
  }
}
