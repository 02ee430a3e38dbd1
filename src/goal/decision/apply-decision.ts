import type { Pause } from '../../../schema/goal.ts';
import type { Decision } from '../../contract/decision.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState, Wait } from '../../contract/goal-state.ts';
import type { LimitReached } from '../../contract/turn-facts.ts';
import { approvalIdOf, asksOf } from '../approvals/approvals.ts';
import { isWrappingUp, step } from '../chart/machine.ts';
import { withChain } from '../waits/chain.ts';

function pauseFrom(decision: Decision, state: GoalState, now: string): Pause | null {
  const { outcome } = decision;
  if (outcome.action !== 'pause') return null;
  const { goalId, turn } = state;
  const [ask] = asksOf(decision);
  const isQuestion = outcome.reason === 'question' && ask === undefined;
  return {
    reason: outcome.reason,
    message: outcome.message,
    missing: [...decision.missing],
    since: now,
    ...(isQuestion ? { questionId: questionIdOf(goalId, turn) } : {}),
    ...(isQuestion && outcome.seconds !== undefined
      ? { until: secondsAfter(now, outcome.seconds) }
      : {}),
    ...(ask === undefined ? {} : { approvalId: approvalIdOf(goalId, turn, 0) }),
  };
}

/** Derived from goal and turn, so that settling a turn twice creates nothing twice. */
export const questionIdOf = (goalId: string, turn: number): string =>
  `q-${goalId.slice(2)}-${turn}`;

function eventFrom(decision: Decision, state: GoalState, now: string): GoalEvent {
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
      return { type: 'turn.paused', pause: pauseFrom(decision, state, now) as Pause };
    case 'limit':
      return { type: 'turn.limited', limit: outcome.limit };
    case 'complete':
      return { type: 'turn.completed' };
    case 'hold':
      return { type: 'turn.held' };
  }
}

const secondsAfter = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString();

function approvalsOf(decision: Decision, { goalId, turn }: GoalState): Pick<Wait, 'approvalIds'> {
  const approvalIds = asksOf(decision).map((_, index) => approvalIdOf(goalId, turn, index));
  return approvalIds.length === 0 ? {} : { approvalIds };
}

/** Where a settled turn leads. A wrap-up turn leads to `stopped`, whatever it said. */
export function applyDecision(state: GoalState, decision: Decision, now: string): ChartSnapshot {
  const { chart } = state;
  const isWrapUp = isWrappingUp(chart) && chart.context.limit !== null;
  if (isWrapUp && (decision.rule === 'wrap_up' || decision.rule === 'limit')) {
    return step(chart, { type: 'turn.limited', limit: chart.context.limit as LimitReached });
  }
  const next = withoutOldFallback(step(chart, eventFrom(decision, state, now)), decision, now);
  return decision.chain === undefined ? next : withChain(next, decision.chain);
}

/** The first model was asked again and a turn of it settled: next time it gets its whole policy. */
function withoutOldFallback(chart: ChartSnapshot, { outcome }: Decision, now: string) {
  const { fallback } = chart.context;
  const isOver = fallback != null && Date.parse(fallback.until) <= Date.parse(now);
  const hasFailed = outcome.action === 'pause' && outcome.reason === 'provider_error';
  return isOver && !hasFailed ? { ...chart, context: { ...chart.context, fallback: null } } : chart;
}
