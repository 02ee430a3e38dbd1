import { ActivityFailure } from '@temporalio/workflow';
import { commitChange } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded } from './failures.ts';
import type { Session } from './session.ts';

/**
 * Does what the goal's parent asks of it, and ends its wait where a delegate's result is there. A
 * look that fails is made again at the next signal.
 */
export async function syncDelegation(session: Session, effects: GoalEffects): Promise<void> {
  try {
    await commitChange(session, {
      name: 'family',
      isDue: () => true,
      commit: (execution, change) => effects.commit.heedFamily(execution, change),
    });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    if (isSuperseded(error)) session.isSuperseded = true;
  }
}
