import { workflowInfo } from '@temporalio/workflow';
import type { Mutation } from '../src/contract/mutation.ts';
import type { Session } from './session.ts';

/** Of 2,000 that the server allows a run. */
const FULL_UPDATES = 1500;
/** Behind it only what ends the work is taken, so that there is room left for it. */
const MOST_UPDATES = 1800;
/** The same in events, of which the server allows 51,200: so many times those of a full run. */
const MOST_FILLS = 4;

/** Time for the next run: this one leaves as soon as its work in the workspace comes back. */
export function isHistoryFull({ updates, maxEvents, leavesBusy, mutex }: Session): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const isFull = continueAsNewSuggested || historyLength > maxEvents || updates > FULL_UPDATES;
  return isFull && (leavesBusy || mutex.isIdle());
}

/** A wait ends here, for the next run to go on with it. */
export const leavesToNextRun = (session: Session): boolean =>
  session.leavesBusy && isHistoryFull(session);

/**
 * False: turned away, to come again with the same update id. So while the run ends, in order that
 * it does end however many come, and where its work takes longer than it has room.
 */
export function acceptsUpdate(session: Session, { kind }: Mutation): boolean {
  if (session.isLeaving) return false;
  const { historyLength } = workflowInfo();
  const hasRoom =
    historyLength <= MOST_FILLS * session.maxEvents && session.updates <= MOST_UPDATES;
  return hasRoom || ENDS_WORK.has(kind);
}

const ENDS_WORK: ReadonlySet<Mutation['kind']> = new Set(['pause', 'complete', 'clear']);
