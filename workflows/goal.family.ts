import { ActivityFailure } from '@temporalio/workflow';
import { type GoalEffects, isSuperseded } from './goal.effects.ts';
import { adopt, isOver, type Session } from './goal.session.ts';

/**
 * Looks in the record what the goal's parent asks of it and whether a delegate's result ends its
 * wait. A look that fails is made again when somebody rings again.
 */
export async function heedFamily(session: Session, effects: GoalEffects): Promise<void> {
  try {
    await session.turnstile.run(async () => {
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
