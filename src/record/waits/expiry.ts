import type { UsageFields } from '../../../schema/budget.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import { standingApprovals } from '../../goal/approvals/approvals.ts';
import { findLimit } from '../../goal/budget/budget.ts';
import { step } from '../../goal/chart/machine.ts';
import { pauseOf } from '../../goal/chart/view.ts';

/** Nobody answered in time: the default answer holds, or what was asked for is denied. */
export type Expiry = { readonly chart: ChartSnapshot } & (
  | { readonly kind: 'default_answer'; readonly questionId: string }
  | { readonly kind: 'denial'; readonly approvalIds: readonly string[] }
);

export function expiryOf(
  { chart, budget }: Pick<GoalState, 'chart' | 'budget'>,
  usage: UsageFields,
  now: string,
): Expiry {
  const limit = findLimit(budget, usage, now);
  const pause = pauseOf(chart);
  if (pause !== null) {
    const answered = step(chart, { type: 'goal.answered', limit, next: 'answer' });
    return { kind: 'default_answer', questionId: pause.questionId ?? '', chart: answered };
  }
  const approvalIds = standingApprovals(chart);
  const denied = step(chart, { type: 'goal.answered', limit, next: chart.context.next });
  return { kind: 'denial', approvalIds, chart: denied };
}

export const defaultAnswerText = (answer: string): string =>
  `Nobody answered your question in time. The default answer holds: ${answer}`;

export const EXPIRED_NOTE = 'nobody decided in time, which counts as a no';
