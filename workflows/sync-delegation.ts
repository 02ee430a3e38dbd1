import { ActivityFailure } from '@temporalio/workflow';
import type { GoalEffects } from './effects.ts';
import { isSuperseded } from './failures.ts';
import { adopt, isOver, type Session } from './session.ts';

/**
 * Does what the goal's parent asks of it, and ends its wait where a delegate's result is there. A
 * look that fails is made again at the next signal.
 */
export async function syncDelegation(session: Session, effects: GoalEffects): Promise<void> {
  try {
    await session.mutex.run(async () => {
      const { state, execution } = session;
      if (state === null || isOver(session)) return;
      const change = {
        commitId: `family-${state.revision + 1}-${execution.epoch}`,
        expectedRevision: state.revision,
      };
      adopt(session, await effects.commit.heedFamily(execution, change));
    });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    if (isSuperseded(error)) session.isSuperseded = true;
  }
}
