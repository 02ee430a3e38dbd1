import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { type SupersededApprovals, supersededApprovals } from '../../goal/approvals/approvals.ts';
import { isOpen, isOver, isWaiting, pauseOf } from '../../goal/chart/view.ts';
import { leavesRequestedWait, waitsAsRequested } from '../../goal/waits/chain.ts';
import {
  closeEnded,
  type DelegateEnd,
  endOfDelegate,
  type WantedOfDelegate,
  wantedOfDelegates,
} from '../delegates/delegates.ts';

export interface ClosedRevision {
  readonly chart: ChartSnapshot;
  /** The end that a delegate's parent is told of; null = it goes on, or is no delegate. */
  readonly end: DelegateEnd | null;
}

/** A delegate whose end is told is closed with the revision that ends it. */
export function closeRevision(chart: ChartSnapshot, isDelegate: boolean): ClosedRevision {
  const end = isDelegate ? endOfDelegate(chart) : null;
  return { chart: end === null ? chart : closeEnded(chart), end };
}

/** The consequences of a revision beside the goal's own row, in the same transaction. */
export interface FollowUps {
  /** Null = none. */
  readonly superseded: SupersededApprovals | null;
  /** Nobody is asked any more about a dispute that may be open. */
  readonly leavesDispute: boolean;
  /**
   * The wait that the model asked for ended early. A poll may still run in the workspace, so its
   * loan counts as a write.
   */
  readonly leavesRequestedWait: boolean;
  /** The goal no longer stands in line for its workspace. */
  readonly leavesQueue: boolean;
  /** `unless_rewinding`: a goal whose rewind is ordered keeps its workspace. */
  readonly releasesWorkspace: 'no' | 'unless_rewinding' | 'always';
  /** The state that its delegates are asked for from now on; null = the same as before. */
  readonly wanted: WantedOfDelegate | null;
}

export function followUpsOf(
  before: ChartSnapshot,
  after: ChartSnapshot,
  isTurnOpen: boolean,
): FollowUps {
  const wanted = wantedOfDelegates(after);
  return {
    superseded: supersededApprovals(before, after),
    leavesDispute: leavesDispute(before, after),
    leavesRequestedWait: leavesRequestedWait(before, after),
    leavesQueue: !isOpen(after),
    releasesWorkspace: releaseBy(before, after, isTurnOpen),
    wanted: wanted === wantedOfDelegates(before) ? null : wanted,
  };
}

function leavesDispute(before: ChartSnapshot, after: ChartSnapshot): boolean {
  const disputed = (chart: ChartSnapshot) => pauseOf(chart)?.disputeId;
  if (isOver(after)) return true;
  return disputed(before) !== undefined && disputed(after) !== disputed(before);
}

/**
 * A goal that waits releases its workspace, unless a person's session works in it; and so does one that is closed once its turn settled. A
 * goal that goes on waiting as the model asked may be polling there: the poll takes and releases
 * the lease itself.
 */
function releaseBy(
  before: ChartSnapshot,
  after: ChartSnapshot,
  isTurnOpen: boolean,
): FollowUps['releasesWorkspace'] {
  const mayPoll = waitsAsRequested(before) && !leavesRequestedWait(before, after);
  const isAway = isWaiting(after) && after.context.wait?.on !== 'session';
  const isDone = isAway || (!isTurnOpen && !isOpen(after));
  if (mayPoll || !isDone) return 'no';
  return after.context.isArchived ? 'always' : 'unless_rewinding';
}
