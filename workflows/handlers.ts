import { condition, setHandler } from '@temporalio/workflow';
import type { Mutation } from '../src/contract/mutation.ts';
import { assertAcceptable } from '../src/goal/mutation/mutate.ts';
import type { GoalEffects } from './effects.ts';
import { comeAgain, isSuperseded, toUpdateFailure } from './failures.ts';
import {
  type Accepted,
  familySignal,
  mutateUpdate,
  stateQuery,
  workspaceFreeSignal,
} from './goal.contract.ts';
import { acceptsUpdate } from './history-limits.ts';
import { assertRewindable, awaitEndOfTurn, carryOutRewind } from './rewind.ts';
import { adopt, type Session } from './session.ts';
import { syncDelegation } from './sync-delegation.ts';

/** Registered before the first await; until the state is loaded, updates are held. */
export function registerHandlers(session: Session, effects: () => GoalEffects): void {
  setHandler(stateQuery, () => session.state);
  setHandler(workspaceFreeSignal, () => {
    session.isWorkspaceFree = true;
  });
  setHandler(familySignal, async () => {
    session.hasDelegationNews = true;
    await condition(() => session.state !== null || session.isSuperseded);
    await syncDelegation(session, effects());
  });
  setHandler(mutateUpdate, (mutation) => mutate(session, effects, mutation), {
    validator: (mutation) => refuseEarly(session, mutation),
  });
}

/**
 * A rejected update leaves no trace in the history. Must be synchronous. While a commit is on its
 * way, the record may be ahead of this memory and its readers know: then the commit decides. A
 * retry of a mutation that was committed is answered by its request row, which holds the answer
 * since that very commit; one that is still on its way has this run's update id.
 */
function refuseEarly(session: Session, mutation: Mutation): void {
  if (!acceptsUpdate(session, mutation)) throw comeAgain();
  if (session.state === null || !session.mutex.isIdle()) return;
  try {
    assertAcceptable(session.state, mutation);
  } catch (error) {
    throw toUpdateFailure(error);
  }
}

async function mutate(
  session: Session,
  effects: () => GoalEffects,
  mutation: Mutation,
): Promise<Accepted> {
  await condition(() => session.state !== null || session.isSuperseded);
  session.updates += 1;
  try {
    if (mutation.kind === 'rewind') await awaitEndOfTurn(session);
    return await session.mutex.run(async () => {
      if (mutation.kind === 'rewind') await assertRewindable(session, effects(), mutation);
      const { state } = await effects().commit.commitMutation(
        session.execution,
        mutation,
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
