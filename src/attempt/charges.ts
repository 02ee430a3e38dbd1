import type { GoalBrief } from '../contract/goal-brief.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { ModelAnswer, ModelPort, ReportedUsage, Unfinished } from '../contract/model.ts';
import type { CallPrice } from '../goal/budget/budget.ts';
import {
  addDecimals,
  divideToWhole,
  multiplyDecimals,
  subtractDecimals,
} from '../goal/budget/decimal.ts';

type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

interface Counted {
  readonly estimatedInput: number;
}

/** Payer of a call, whose prices count. */
export interface Payer {
  readonly ports: { readonly model: ModelPort };
  readonly brief: Pick<GoalBrief, 'model' | 'budget'>;
}

/** Margin for providers that count more tokens than estimated and reach a dearer price tier. */
const TIER_MARGIN = 1.25;
const MILLION = 1_000_000;

/**
 * Worst case: no input is cached, all of it is written to the cache, and the price tier of a
 * somewhat longer input applies.
 */
export const pricePerMillion = (payer: Payer, estimatedInput: number): CallPrice | null =>
  payer.brief.budget.costUsd === null ? null : worstPrice(payer, estimatedInput);

/** The most that a call may cost, whoever limits it; null = nobody knows its price. */
export function mostCost(
  payer: Payer,
  { estimatedInput, maxOutputTokens }: Counted & { readonly maxOutputTokens: number },
): string | null {
  const price = worstPrice(payer, estimatedInput);
  if (price === null) return null;
  const input = multiplyDecimals(String(Math.ceil(estimatedInput)), price.inputPerMTok);
  const output = multiplyDecimals(String(maxOutputTokens), price.outputPerMTok);
  return multiplyDecimals(addDecimals(input, output), '0.000001');
}

function worstPrice({ ports, brief }: Payer, estimatedInput: number): CallPrice | null {
  const inputTokens = Math.max(1, Math.ceil(estimatedInput * TIER_MARGIN));
  const cacheWriteTokens = inputTokens;
  const call = { inputTokens, cachedInputTokens: 0, cacheWriteTokens, outputTokens: 0 };
  const input = ports.model.price(brief.model, call);
  const both = ports.model.price(brief.model, { ...call, outputTokens: MILLION });
  if (input === null || both === null) return null;
  // Rates have six decimals, so this is exact.
  const rate = divideToWhole(multiplyDecimals(input.costUsd, '1000000000000'), String(inputTokens));
  return {
    inputPerMTok: multiplyDecimals(String(rate), '0.000001'),
    outputPerMTok: subtractDecimals(both.costUsd, input.costUsd),
  };
}

export function usageOf(run: Payer, reserved: Counted, answer: Answer): CallUsage {
  if (answer.usage === null) {
    const text = answer.text + answer.calls.map((call) => call.input).join('');
    return estimatedUsage(run, reserved.estimatedInput, run.ports.model.countTokens(text));
  }
  return { ...answer.usage, ...priceOf(run, answer.usage), isEstimated: false };
}

/** Charge of a call without a reported usage. */
export function estimatedUsage(run: Payer, inputTokens: number, outputTokens: number): CallUsage {
  const counted = { inputTokens, cachedInputTokens: 0, outputTokens };
  return { ...counted, ...priceOf(run, counted), isEstimated: true };
}

function priceOf(run: Payer, usage: ReportedUsage): Pick<CallUsage, 'costUsd' | 'pricesVersion'> {
  const price = run.ports.model.price(run.brief.model, usage);
  return { costUsd: price?.costUsd ?? '0', pricesVersion: price?.version ?? null };
}

/** An unfinished call costs its known usage and the output generated so far. */
export function usageOfUnfinished(
  payer: Payer,
  { estimatedInput }: Counted,
  { hasStarted, generated, reported }: Unfinished,
): CallUsage | null {
  if (!hasStarted) return null;
  const output = payer.ports.model.countTokens(generated);
  if (reported === null) return estimatedUsage(payer, estimatedInput, output);
  const counted = { ...reported, outputTokens: Math.max(reported.outputTokens, output) };
  return { ...counted, ...priceOf(payer, counted), isEstimated: true };
}
