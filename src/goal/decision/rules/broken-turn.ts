import type { PauseReason } from '../../../../schema/goal.ts';
import type { Counters } from '../../../contract/decision.ts';
import { pauseFor, type RuleContext, type RuleDecision, type RuleResult } from '../rule-context.ts';

/** The provider, the protocol or the tools broke the turn. */
export function pauseOnBrokenTurn({ facts, input }: RuleContext): RuleResult {
  if (facts.end === 'record_altered') return broken('record_altered', facts.detail ?? ALTERED);
  // A wrap-up ends the goal whatever becomes of it, and a capped call is the budget's doing.
  if (facts.kind === 'wrap_up' || facts.limit !== null) return null;
  const { detail, provider } = facts;
  const { counters } = input;
  switch (facts.end) {
    case 'protocol_error':
      return broken('protocol_error', detail ?? 'The model broke the tool protocol.');
    case 'provider_error':
      return providerFailed(counters, provider?.message ?? detail ?? 'It failed.');
    case 'lost_calls':
      return providerFailed(counters, detail ?? 'Its workers died during one model call.');
    case 'tool_error_cap':
      return broken('tool_error_cap', detail ?? 'Too many tool errors in a row.');
    case 'lifecycle_breaker':
      return broken('lifecycle_breaker', detail ?? 'The same malformed call came twice.');
    case 'yield':
      return facts.finishReason === 'tool_calls'
        ? broken('protocol_error', 'The model announced tool calls and made none.')
        : null;
    default:
      return null;
  }
}

const ALTERED = 'What is stored of the goal is not what was sealed.';

const broken = (reason: PauseReason, message: string): RuleDecision =>
  pauseFor(reason, 'nobody', { message });

/** A provider's failure is neither progress nor the want of it: nothing is counted. */
const providerFailed = (counters: Counters, message: string): RuleDecision => ({
  ...pauseFor('provider_error', 'nobody', { message, lead: 'The provider failed' }),
  counters,
});
