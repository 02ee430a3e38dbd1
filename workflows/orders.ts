import { condition } from '@temporalio/workflow';
import type { MutationResult } from '../src/contract/record.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded, toUpdateFailure } from './failures.ts';
import type { Accepted } from './goal.contract.ts';
import { assertRewindable, awaitEndOfTurn, carryOutRewind } from './rewind.ts';
import { adopt, type Session } from './session.ts';

/** Knows an order by its commit id alone: the record says what it is and whether it is one. */
export async function carryOutOrder(
  session: Session,
  effects: () => GoalEffects,
  commitId: string,
): Promise<Accepted> {
  await condition(() => session.state !== null || session.isSuperseded);
  session.updates += 1;
  const commit = async (isTurnOver: boolean): Promise<MutationResult> => {
    const { execution } = session;
    const order = { commitId, isTurnOver };
    const result = await effects().commit.commitMutation(execution, order, execution.goalId);
    if (result.rewind === undefined) adopt(session, result.state, result.isQuiet);
    return result;
  };
  try {
    const { rewind, state } = await session.mutex.run(() => commit(false));
    if (rewind === undefined) return { goalId: state.goalId, revision: state.revision };
    await awaitEndOfTurn(session);
    return await session.mutex.run(async () => {
      await assertRewindable(session, effects(), rewind);
      const { goalId, revision } = (await commit(true)).state;
      await carryOutRewind(session, effects());
      return { goalId, revision };
    });
  } catch (error) {
    if (isSuperseded(error)) session.isSuperseded = true;
    throw toUpdateFailure(error);
  }
}
