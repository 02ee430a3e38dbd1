import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  TimeoutFailure,
} from '@temporalio/workflow';
import { Refusal } from '../src/contract/failures.ts';
import type { RewindTo } from '../src/contract/mutation.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded } from './failures.ts';
import type { Session } from './session.ts';

/** Time that a cancelled slice may take to end. */
const END_OF_TURN = '10 s';

/** Waits before the mutex, which the turn needs to settle: a living slice would be superseded. */
export async function awaitEndOfTurn(session: Session): Promise<void> {
  if (await condition(() => session.work === null || session.isSuperseded, END_OF_TURN)) return;
  throw new Refusal('invalid_transition', 'Its turn is still ending: try again in a moment');
}

/** @throws Refusal, ActivityFailure: nothing was ordered then */
export async function assertRewindable(
  { execution }: Session,
  { rewinds }: GoalEffects,
  to: RewindTo['to'],
): Promise<void> {
  try {
    await rewinds.lookAtRewind({ goalId: execution.goalId, to });
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (!(cause instanceof TimeoutFailure)) throw error;
    throw new Refusal('worker_unavailable', 'No worker of the workspace answered: nothing changed');
  }
}

/** The order is committed: what isn't done now, the goal's next worker does first. */
export async function carryOutRewind(session: Session, effects: GoalEffects): Promise<void> {
  await condition(() => !session.isLooking);
  try {
    await effects.rewinding.rewindWorkspace(session.execution);
  } catch (error) {
    if (isSuperseded(error)) throw error;
    if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) throw error;
  }
}
