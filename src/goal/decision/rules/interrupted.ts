import type { GoalStatus } from '../../../../schema/goal.ts';
import type { RuleContext, RuleResult } from '../rule-context.ts';

/** A person or a limit was faster than the turn. */
export function holdInterrupted({ facts, input }: RuleContext): RuleResult {
  const isClosed = input.status !== 'active' && facts.kind !== 'wrap_up';
  if (!isClosed && facts.end !== 'interrupted') return null;
  const { status, counters } = input;
  return { yieldsTo: 'nobody', outcome: { action: 'hold' }, sentence: WHY[status], counters };
}

const WHY: Record<GoalStatus, string> = {
  active: 'The turn was interrupted and settles without a consequence of its own.',
  paused: 'The goal was paused while the turn ran, so nothing follows from it.',
  budget_limited: 'A limit was reached while the turn ran, so only the wrap-up follows.',
  complete: 'The goal was ended while the turn ran, so nothing follows from it.',
};
