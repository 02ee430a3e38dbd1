import type { Pause } from '../../../schema/goal.ts';
import type { Decision, Outcome } from '../../contract/decision.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState, Wait } from '../../contract/goal-state.ts';
import { approvalIdOf, asksOf } from '../../goal/approvals/approvals.ts';
import { isWrappingUp, step } from '../../goal/chart/machine.ts';

/** The chart after a settled turn. A wrap-up turn leads to `stopped`, whatever it said. */
export function applyDecision(state: GoalState, decision: Decision, now: string): ChartSnapshot {
  const { chart } = state;
  const { limit } = chart.context;
  const isLast = decision.rule === 'wrap_up' || decision.rule === 'limit';
  if (isLast && limit !== null && isWrappingUp(chart)) {
    return step(chart, { type: 'turn.limited', limit });
  }
  return eventsOf(decision, state, now).reduce(step, chart);
}

function eventsOf(decision: Decision, state: GoalState, now: string): GoalEvent[] {
  const { chain } = decision;
  return [
    settlementOf(decision, state, now),
    ...(endsFallback(state.chart, decision, now) ? [{ type: 'fallback.ended' } as const] : []),
    ...(chain === undefined ? [] : [{ type: 'chain.set', chain } as const]),
  ];
}

function settlementOf(decision: Decision, state: GoalState, now: string): GoalEvent {
  const { outcome } = decision;
  switch (outcome.action) {
    case 'continue':
    case 'nudge':
    case 'refuse':
      return { type: 'turn.continued', next: outcome.next };
    case 'wait':
      return {
        type: 'turn.waits',
        next: outcome.next,
        wait: {
          on: outcome.on,
          reason: decision.sentence,
          since: now,
          until: outcome.seconds === null ? null : secondsAfter(now, outcome.seconds),
          ...approvalsOf(decision, state),
        },
      };
    case 'pause':
      return { type: 'turn.paused', pause: pauseOf(outcome, decision, state, now) };
    case 'limit':
      return { type: 'turn.limited', limit: outcome.limit };
    case 'complete':
      return { type: 'turn.completed' };
    case 'hold':
      return { type: 'turn.held' };
  }
}

function pauseOf(
  { reason, message, seconds, blocker }: Extract<Outcome, { action: 'pause' }>,
  decision: Decision,
  { goalId, turn }: GoalState,
  now: string,
): Pause {
  const pause: Pause = {
    reason,
    message,
    missing: [...decision.missing],
    since: now,
    ...(blocker === undefined ? {} : { blocker }),
  };
  if (reason === 'disputed') return { ...pause, disputeId: disputeIdOf(goalId, turn) };
  if (asksOf(decision).length > 0) return { ...pause, approvalId: approvalIdOf(goalId, turn, 0) };
  if (reason !== 'question') return pause;
  const until = seconds === undefined ? {} : { until: secondsAfter(now, seconds) };
  return { ...pause, questionId: questionIdOf(goalId, turn), ...until };
}

/** Derived from goal and turn, so that settling a turn twice creates nothing twice. */
export const questionIdOf = (goalId: string, turn: number): string =>
  `q-${goalId.slice(2)}-${turn}`;

/** A dispute ends its turn, so a turn has one at most. */
export const disputeIdOf = (goalId: string, turn: number): string => `d-${goalId.slice(2)}-${turn}`;

const secondsAfter = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString();

function approvalsOf(decision: Decision, { goalId, turn }: GoalState): Pick<Wait, 'approvalIds'> {
  const approvalIds = asksOf(decision).map((_, index) => approvalIdOf(goalId, turn, index));
  return approvalIds.length === 0 ? {} : { approvalIds };
}

/** The first model was asked again and a turn of it settled: next time it gets its whole policy. */
function endsFallback({ context }: ChartSnapshot, { outcome }: Decision, now: string): boolean {
  const { fallback } = context;
  const isOver = fallback != null && Date.parse(fallback.until) <= Date.parse(now);
  return isOver && !(outcome.action === 'pause' && outcome.reason === 'provider_error');
}
