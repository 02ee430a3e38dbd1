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

/** What a wait is watched by, and what cuts it short. */
export interface Waiting {
  readonly wait: Wait;
  readonly isChanged: () => boolean;
  /** Changed, or left to the next run. */
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
 * One look at what the model waits for, then a pause that grows with the wait; the workflow comes
 * back here until it holds, its time is over or somebody changes the goal. Nothing is carried from
 * look to look, so a run may continue as new between any two.
 */
export async function lookOnce(
  session: Session,
  effects: GoalEffects,
  { wait, isChanged, isCut }: Waiting,
): Promise<void> {
  const { state } = session;
  if (state === null) return;
  const end = await look(session, effects, isChanged);
  if (isChanged()) return;
  const left = Date.parse(wait.until ?? wait.since) - Date.now();
  if (end !== null || left <= 0) return await fireWait(session, effects, end ?? 'timed_out');
  const waited = (Date.now() - Date.parse(wait.since)) / 1000;
  const seconds = pollDelaySeconds(waited, state.policy.continuation);
  await condition(isCut, Math.max(1, Math.min(left, seconds * 1000)));
}

/** Null: it does not hold yet, or nobody could look. */
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
