import type { UsageFields } from '../../../schema/budget.ts';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import { findLimit } from '../../goal/budget/budget.ts';
import { canTake } from '../../goal/chart/machine.ts';
import { statusOf } from '../../goal/chart/view.ts';
import { isEndedByResult } from '../../goal/waits/chain.ts';
import type { WantedOfDelegate } from './delegates.ts';

/** The request of a goal's parent. */
export interface ParentsWish {
  readonly wanted: WantedOfDelegate;
  /** The goal is paused because its parent is. */
  readonly isHeldByParent: boolean;
}

export interface DelegationFacts {
  readonly state: Pick<GoalState, 'chart' | 'budget' | 'isTurnOpen'>;
  /** Includes the delegates' usage, which may have exhausted the budget. */
  readonly usage: UsageFields;
  /** Null for a goal that is no running delegate. */
  readonly wish: ParentsWish | null;
  /** One of the goal's own delegates left a result that wakes it. */
  readonly hasWakingResult: boolean;
  readonly now: string;
}

export interface DelegationChange {
  readonly event: GoalEvent;
  /** Absent: as it was. */
  readonly isHeldByParent?: boolean;
}

/**
 * The chart event by which a goal follows its parent or hears of a delegate's result; null = there
 * is nothing to do. The parent's wish comes first.
 */
export function delegationEvent(facts: DelegationFacts): DelegationChange | null {
  const change = changeByParent(facts) ?? changeByResult(facts);
  return change !== null && canTake(facts.state.chart, change.event) ? change : null;
}

/** A parent resumes only what it paused itself: a person's pause stays. */
function changeByParent(facts: DelegationFacts): DelegationChange | null {
  const { wish, now } = facts;
  const { chart } = facts.state;
  switch (wish?.wanted) {
    case 'stopped':
      return { event: { type: 'goal.cleared' } };
    case 'paused':
      if (statusOf(chart) !== 'active') return null;
      return { event: { type: 'goal.paused', pause: pauseWithParent(now) }, isHeldByParent: true };
    case 'running':
      if (!wish.isHeldByParent || chart.value !== 'paused') return null;
      return { event: resumed(facts, chart), isHeldByParent: false };
    default:
      return null;
  }
}

const pauseWithParent = (since: string): Pause => ({
  reason: 'person',
  message: 'Paused with the goal that it works for',
  missing: [],
  since,
});

function resumed({ state, usage, now }: DelegationFacts, chart: ChartSnapshot): GoalEvent {
  const limit = findLimit(state.budget, usage, now);
  return { type: 'goal.resumed', limit, next: state.isTurnOpen ? chart.context.next : 'resume' };
}

function changeByResult(facts: DelegationFacts): DelegationChange | null {
  const { state, usage, hasWakingResult, now } = facts;
  if (!hasWakingResult || !isEndedByResult(state.chart)) return null;
  const limit = findLimit(state.budget, usage, now);
  return { event: limit === null ? { type: 'wait.ended' } : { type: 'limit.passed', limit } };
}
