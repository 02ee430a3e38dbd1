import { secondsOf } from '../../../schema/model-call-words.ts';
import type { ModelCall } from '../api/types.ts';
import { compact, duration } from './format.ts';

/** What it took, in a line. */
export function callFacts(call: ModelCall): string {
  const { state, inputTokens, cachedInputTokens, outputTokens } = call;
  if (state === 'sent') return 'is being answered';
  const seconds = secondsOf(call);
  const took = seconds === null ? '' : `, ${duration(seconds)}`;
  if (inputTokens + outputTokens === 0) return `not charged${took}`;
  const cached = Math.round((cachedInputTokens / Math.max(1, inputTokens)) * 100);
  return `${compact(inputTokens)} in, ${cached} % cached, ${compact(outputTokens)} out${took}`;
}
