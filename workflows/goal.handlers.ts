import { condition, setHandler } from '@temporalio/workflow';
import type { Mutation } from '../src/contract/mutation.ts';
import { assertAcceptable } from '../src/goal/mutation/mutate.ts';
import {
  type Accepted,
  familySignal,
  mutateUpdate,
  stateQuery,
  workspaceFreeSignal,
} from './goal.contract.ts';
import { comeAgain, type GoalEffects, isSuperseded, toUpdateFailure } from './goal.effects.ts';
import { heedFamily } from './goal.family.ts';
import { assertRewindable, awaitEndOfTurn, carryOutRewind } from './goal.rewind.ts';
import { isShut } from './goal.room.ts';
import { adopt, type Session } from './goal.session.ts';

/** Registered before the first await; until the state is loaded, updates are held. */
export function registerHandlers(session: Session, effects: () => GoalEffects): void {
  setHandler(stateQuery, () => session.state);
  setHandler(workspaceFreeSignal, () => {
    session.isWorkspaceFree = true;
  });
  setHandler(familySignal, async () => {
    session.hasFamilyRung = true;
    await condition(() => session.state !== null || session.isSuperseded);
    await heedFamily(session, effects());
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
  if (isShut(session, mutation)) throw comeAgain();
  if (session.state === null || !session.turnstile.isIdle()) return;
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
    return await session.turnstile.run(async () => {
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
