import type { SpendRefused } from '../contract/spend.ts';
import type { ProviderTrouble } from '../contract/turn-facts.ts';

/** A limit that waiting lifts, or a price that somebody has to name. */
export const spendTrouble = ({ message, retryAfterSeconds }: SpendRefused): ProviderTrouble => ({
  kind: retryAfterSeconds === null ? 'other' : 'spend_limit',
  isRetryable: retryAfterSeconds !== null,
  retryAfterSeconds,
  message: message.slice(0, 500),
});
