import type { Ask } from '../../../contract/evidence.ts';
import type { TurnFacts } from '../../../contract/turn-facts.ts';
import { holdsCheaply } from '../gate.ts';
import {
  isHostDriven,
  type RuleContext,
  type RuleDecision,
  type RuleResult,
} from '../rule-context.ts';
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
export function completeOnYield(context: RuleContext): RuleResult {
  const { facts, verdict, input } = context;
  if (!isCheckableYield(facts)) return null;
  if (input.asksOnYield === true && verdict.promised === 'verified' && isAboutBasis(verdict)) {
    return { ...pauseUnverified(verdict), asks: verdict.asks };
  }
  if (facts.inSession === true && verdict.missing.length === 0) return stopSession(context);
  if (verdict.verification !== 'verified') return null;
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'complete', source: 'implicit', verification: 'verified' },
    sentence: 'The model yielded and the gate finds everything verified.',
  };
}

/**
 * A person's session stopped, and nothing is missing. It has no word for a claim and sits with the
 * person who can judge what no check proves, so they are asked instead of the session.
 */
function stopSession({ verdict, input }: RuleContext): RuleResult {
  const { verification, asks } = verdict;
  if (input.evidence === null) return null;
  if (isAboutBasis(verdict)) return { ...pauseUnverified(verdict), asks };
  if (asks.length > 0) return waitForWord(asks);
  const isEnough = verification !== 'supported' || input.policy.completion === 'supported';
  if (verification === null || !isEnough) return pauseUnverified(verdict);
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'complete', source: 'implicit', verification },
    sentence: `The session stopped and the gate finds everything ${verification.replaceAll('_', ' ')}.`,
  };
}

const waitForWord = (asks: readonly Ask[]): RuleDecision => ({
  yieldsTo: 'nobody',
  outcome: { action: 'wait', on: 'approval', seconds: null, next: 'wake' },
  sentence: 'Everything else holds; a person has to decide.',
  asks,
});
