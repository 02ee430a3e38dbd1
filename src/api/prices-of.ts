import type { Estimate } from '../../schema/estimate.ts';
import type { ApiPorts } from './application.ts';

const MILLION = 1_000_000;
const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** The service's price in dollars for a million tokens; null = it knows no price. */
export function pricesOf(models: ApiPorts['models'], model: string): Estimate['prices'] {
  const priceOf = (usage: Partial<typeof none>) =>
    models.price(model, { ...none, ...usage })?.costUsd;
  const input = priceOf({ inputTokens: MILLION });
  const cached = priceOf({ inputTokens: MILLION, cachedInputTokens: MILLION });
  const output = priceOf({ outputTokens: MILLION });
  if (input === undefined || cached === undefined || output === undefined) return null;
  return { input, cached, output };
}
