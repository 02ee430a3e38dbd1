import type { NotifyEvent } from '../../../schema/notify.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { standingApprovals } from '../../goal/approvals/approvals.ts';
import { pauseOf } from '../../goal/chart/view.ts';

/** The notification about this transition; null = nobody began to be waited for. */
export function notifyEventOf(before: ChartSnapshot, after: ChartSnapshot): NotifyEvent | null {
  if (after.context.isArchived) return null;
  if (after.value === 'complete') return before.value === 'complete' ? null : 'complete';
  if (isStopped(after)) return isStopped(before) ? null : 'budget_limited';
  if (after.value === 'paused') return isSamePause(before, after) ? null : eventOfPause(after);
  const known = standingApprovals(before);
  return standingApprovals(after).some((id) => !known.includes(id)) ? 'approval' : null;
}

const isStopped = ({ value }: ChartSnapshot): boolean =>
  typeof value === 'object' && 'budget_limited' in value && value.budget_limited === 'stopped';

const isSamePause = (before: ChartSnapshot, after: ChartSnapshot): boolean =>
  pauseOf(before)?.since === pauseOf(after)?.since &&
  pauseOf(before)?.reason === pauseOf(after)?.reason;

function eventOfPause(chart: ChartSnapshot): NotifyEvent {
  const pause = pauseOf(chart);
  if (pause?.approvalId !== undefined) return 'approval';
  if (pause?.reason === 'question') return 'question';
  return pause?.reason === 'blocked' || pause?.reason === 'disputed' ? 'blocked' : 'paused';
}
