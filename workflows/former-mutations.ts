import { condition } from '@temporalio/workflow';
import type { Mutation } from '../src/contract/mutation.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded, toUpdateFailure } from './failures.ts';
import type { Accepted } from './goal.contract.ts';
import { assertRewindable, awaitEndOfTurn, carryOutRewind } from './rewind.ts';
import { adopt, type Session } from './session.ts';

/** What updates carried before orders: histories replay it, and its commit needs an order too. */
export async function replayMutation(
  session: Session,
  effects: () => GoalEffects,
  mutation: Mutation,
): Promise<Accepted> {
  await condition(() => session.state !== null || session.isSuperseded);
  session.updates += 1;
  try {
    if (mutation.kind === 'rewind') await awaitEndOfTurn(session);
    return await session.mutex.run(async () => {
      if (mutation.kind === 'rewind') await assertRewindable(session, effects(), mutation.to);
      const { state } = await effects().commit.commitMutation(
        session.execution,
        { commitId: mutation.commitId, isTurnOver: true },
        session.execution.goalId,
      );
      adopt(session, state, mutation.kind === 'message' && mutation.role === 'agent');
      if (mutation.kind === 'rewind') await carryOutRewind(session, effects());
      return { goalId: state.goalId, revision: state.revision };
    });
  } catch (error) {
    if (isSuperseded(error)) session.isSuperseded = true;
    throw toUpdateFailure(error);
  }
}
