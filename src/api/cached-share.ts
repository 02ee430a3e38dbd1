import type { UsageFields } from '../../schema/budget.ts';

/** The part of the input that came from the provider's cache: 0 to 1, in thousandths. */
export function cachedShare({
  inputTokens,
  cachedInputTokens,
}: Pick<UsageFields, 'inputTokens' | 'cachedInputTokens'>): number {
  return inputTokens === 0 ? 0 : Math.round((1000 * cachedInputTokens) / inputTokens) / 1000;
}
