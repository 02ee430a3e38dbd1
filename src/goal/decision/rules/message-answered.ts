import { pauseFor, type RuleContext, type RuleResult } from '../rule-context.ts';

/** One turn answers a person, then the goal waits for them, even where the answer was cut off. */
export function pauseAfterMessage({ facts }: RuleContext): RuleResult {
  const hasSettled = facts.end === 'yield' || facts.end === 'turn_cap';
  const isRefused = facts.finishReason === 'content_filter';
  if (facts.kind !== 'message' || !hasSettled || isRefused) return null;
  const message = 'The message was answered; resume to go on.';
  return pauseFor('message', 'message', { message });
}
