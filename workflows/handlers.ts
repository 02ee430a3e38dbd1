import { condition, currentUpdateInfo, proxySinks, setHandler } from '@temporalio/workflow';
import { OrderRefused } from '../src/contract/failures.ts';
import { isCommitId } from '../src/contract/orders.ts';
import type { GoalEffects } from './effects.ts';
import { comeAgain, toUpdateFailure } from './failures.ts';
import { replayMutation } from './former-mutations.ts';
import {
  eventSignal,
  familySignal,
  mutateUpdate,
  orderUpdate,
  stateQuery,
  urgentOrderUpdate,
  workspaceFreeSignal,
} from './goal.contract.ts';
import { acceptsUpdate } from './history-limits.ts';
import type { SecuritySinks } from './interceptors.ts';
import { carryOutOrder } from './orders.ts';
import type { Session } from './session.ts';
import { syncDelegation } from './sync-delegation.ts';

/** Registered before the first await; until the state is loaded, updates are held. */
export function registerHandlers(session: Session, effects: () => GoalEffects): void {
  setHandler(stateQuery, () => session.state);
  setHandler(workspaceFreeSignal, () => {
    session.isWorkspaceFree = true;
  });
  setHandler(eventSignal, () => {
    session.isToldToLook = true;
  });
  setHandler(familySignal, async () => {
    session.hasDelegationNews = true;
    await condition(() => session.state !== null || session.isSuperseded);
    await syncDelegation(session, effects());
  });
  const carryOut = (commitId: string) => carryOutOrder(session, effects, commitId);
  setHandler(orderUpdate, carryOut, {
    validator: (commitId) => refuseEarly(session, commitId, false),
  });
  setHandler(urgentOrderUpdate, carryOut, {
    validator: (commitId) => refuseEarly(session, commitId, true),
  });
  setHandler(mutateUpdate, (mutation) => replayMutation(session, effects, mutation), {
    validator: (_mutation) => refuseUnordered(session),
  });
}

/**
 * A rejected update leaves no trace in the history. Must be synchronous, so whether there is such
 * an order is the commit's to say; what the goal can't take was refused before it was stored.
 */
function refuseEarly(session: Session, commitId: unknown, isUrgent: boolean): void {
  if (!isCommitId(commitId) || currentUpdateInfo()?.id !== commitId) refuseUnordered(session);
  if (!acceptsUpdate(session, isUrgent)) throw comeAgain();
}

function refuseUnordered({ execution: { goalId, epoch } }: Session): never {
  const refused = new OrderRefused('no_order');
  const { security } = proxySinks<SecuritySinks>();
  const name = currentUpdateInfo()?.name ?? '';
  const workflowId = `goal:${goalId}:${epoch}`;
  security.refused({ what: 'update', name, why: refused.why, keyId: null, workflowId });
  throw toUpdateFailure(refused);
}
