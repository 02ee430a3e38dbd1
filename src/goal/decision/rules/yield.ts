import type { TurnFacts } from '../../../contract/turn-facts.ts';
import { holdsCheaply } from '../gate.ts';
import { isHostDriven, type RuleContext, type RuleResult } from '../rule-context.ts';
import { isAboutBasis, pauseUnverified } from './claim.ts';

/** Did the model stop, in a turn that the host began, as one does who is done? */
function mayBeDone(facts: TurnFacts): boolean {
  // Providers that report no finish reason get their claims in words judged as well.
  const hasStopped =
    facts.finishReason === 'stop' ||
    (facts.finishReason === 'absent' && facts.signals.hasCompletion);
  return (
    facts.end === 'yield' &&
    hasStopped &&
    (facts.toolCalls === 0 || facts.byAgent === true) &&
    isHostDriven(facts) &&
    facts.mode !== 'plan'
  );
}

export const isCheckableYield = (facts: TurnFacts): boolean =>
  mayBeDone(facts) && holdsCheaply(facts);

/**
 * The model stopped without a claim; only where the gate proves everything is that an end. Where
 * changes beyond the scope are all that is left, a person is asked as by a claim.
 */
export function completeOnYield({ facts, verdict, input }: RuleContext): RuleResult {
  if (!isCheckableYield(facts)) return null;
  if (input.asksOnYield === true && verdict.promised === 'verified' && isAboutBasis(verdict)) {
    return { ...pauseUnverified(verdict), asks: verdict.asks };
  }
  if (verdict.verification !== 'verified') return null;
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'complete', source: 'implicit', verification: 'verified' },
    sentence: 'The model yielded and the gate finds everything verified.',
  };
}
