import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { canTake, step } from '../../goal/chart/machine.ts';

/** A goal whose execution was lost is paused where it was active; in another state it stays. */
export function afterLostExecution(chart: ChartSnapshot, now: string): ChartSnapshot {
  const pause: Pause = {
    reason: 'recovery',
    message:
      'Its execution was terminated, reset or lost. Everything until then is kept: resume it.',
    missing: [],
    since: now,
  };
  const event: GoalEvent = { type: 'execution.lost', pause };
  return canTake(chart, event) ? step(chart, event) : chart;
}
