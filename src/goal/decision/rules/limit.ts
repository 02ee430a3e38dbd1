import type { LimitReached } from '../../../contract/turn-facts.ts';
import type { RuleContext, RuleDecision, RuleResult } from '../rule-context.ts';

/** However the wrap-up turn ended, it was the last one. */
export function endWrapUp({ facts, input }: RuleContext): RuleResult {
  if (facts.kind !== 'wrap_up') return null;
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'hold' },
    sentence: 'The wrap-up turn is over.',
    counters: input.counters,
  };
}

export const stopAtLimit = ({ limit }: RuleContext): RuleResult =>
  limit === null ? null : limitReached(limit);

export const limitReached = (limit: LimitReached): RuleDecision => ({
  yieldsTo: 'nobody',
  outcome: { action: 'limit', limit },
  sentence: `The budget of ${limit.name} is used up: ${limit.used} of ${limit.allowed}.`,
});
