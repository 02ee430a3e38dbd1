import { workflowInfo } from '@temporalio/workflow';
import type { Session } from './session.ts';

/** Updates after which a run is full; the server allows 2,000. */
const FULL_UPDATES = 1500;
/** Updates after which only those are accepted that end the work, to leave room for them. */
const MOST_UPDATES = 1800;
/** The same limit in events, as a multiple of a full run's; the server allows 51,200. */
const MOST_FILLS = 4;

/** True when the next run should begin: this one ends once its work in the workspace returns. */
export function isHistoryFull({ updates, maxEvents, leavesBusy, mutex }: Session): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const isFull = continueAsNewSuggested || historyLength > maxEvents || updates > FULL_UPDATES;
  return isFull && (leavesBusy || mutex.isIdle());
}

/** True when a wait ends so that the next run continues it. */
export const leavesToNextRun = (session: Session): boolean =>
  session.leavesBusy && isHistoryFull(session);

/**
 * False rejects the update, and the caller sends it again with the same update id. This happens
 * while the run ends, so that it ends however many updates arrive, and while its work takes longer
 * than it has room.
 */
export function acceptsUpdate(session: Session, isUrgent: boolean): boolean {
  if (session.isLeaving) return false;
  const { historyLength } = workflowInfo();
  const hasRoom =
    historyLength <= MOST_FILLS * session.maxEvents && session.updates <= MOST_UPDATES;
  return hasRoom || isUrgent;
}
