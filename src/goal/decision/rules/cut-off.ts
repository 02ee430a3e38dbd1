import type { TurnFacts } from '../../../contract/turn-facts.ts';
import { isTruncated } from '../counters.ts';
import { isStuck, pauseFor, type RuleContext, type RuleResult } from '../rule-context.ts';

export function pauseOnRefusedContent({ facts }: RuleContext): RuleResult {
  if (facts.finishReason !== 'content_filter') return null;
  return pauseFor('provider_error', 'result', { message: 'content refused' });
}

/** Ends after which the turn's work goes on; slice ends come here only if nobody took them up. */
const UNFINISHED: readonly TurnFacts['end'][] = [
  'slice_cap',
  'shutdown',
  'workspace_busy',
  'session',
  'budget',
];

/** A turn that was cut off goes on, unless that happens again and again. */
export function resumeTruncated(context: RuleContext): RuleResult {
  const { facts, counters, limits } = context;
  if (!isTruncated(facts) && !UNFINISHED.includes(facts.end)) return null;
  if (counters.truncatedTurns >= limits.truncatedTurns) {
    const message = `${counters.truncatedTurns} turns in a row were cut off without a receipt.`;
    return pauseFor('no_progress', 'result', { message });
  }
  if (isStuck(context)) return null;
  return {
    yieldsTo: 'message',
    outcome: { action: 'continue', next: 'resume' },
    sentence: 'The turn was cut off and goes on.',
  };
}
