import type { NewGoal } from '../db/ports.ts';
import { WRAP_UP_RESERVE } from '../goal/budget.ts';
import { compareDecimals } from '../goal/decimal.ts';
import { Refusal } from '../goal/errors.ts';
import type { ApiPorts } from './application.ts';

/** An answer that is cut off before this is worth nothing, tokens. */
const SHORTEST_ANSWER = 1000;
const ROUNDED_TO = 100;
/** Fifty criteria of the longest kind fit twice: no need to count. */
const SURELY_ENOUGH = 500_000;

/**
 * A budget must pay for one call and its wrap-up, or the goal would end before it began.
 * @throws Refusal budget_too_small, with the smallest budget that would do
 */
export function assertPaysForOneCall(ports: ApiPorts, goal: NewGoal, now: Date): void {
  const { budget, model } = goal;
  if (budget.deadline !== null && Date.parse(budget.deadline) <= now.getTime()) {
    throw tooSmall('deadline', budget.deadline, null, 'The deadline is over already.');
  }
  if ((budget.tokens ?? SURELY_ENOUGH) >= SURELY_ENOUGH && budget.costUsd === null) return;
  const inputTokens = ports.firstCallTokens(goal);
  const outputTokens = SHORTEST_ANSWER + WRAP_UP_RESERVE;
  const tokens = Math.ceil((inputTokens + outputTokens) / ROUNDED_TO) * ROUNDED_TO;
  if (budget.tokens !== null && budget.tokens < tokens) {
    const why = `One call of this goal and its wrap-up take ${tokens} tokens.`;
    throw tooSmall('tokens', budget.tokens, tokens, why);
  }
  const price = ports.models.price(model, { inputTokens, cachedInputTokens: 0, outputTokens });
  if (budget.costUsd === null || price === null) return;
  if (compareDecimals(budget.costUsd, price.costUsd) >= 0) return;
  const why = `One call of this goal and its wrap-up cost up to $${price.costUsd}.`;
  throw tooSmall('costUsd', budget.costUsd, price.costUsd, why);
}

function tooSmall(
  name: 'tokens' | 'costUsd' | 'deadline',
  asked: number | string,
  smallest: number | string | null,
  why: string,
): Refusal {
  const data = { field: `budget.${name}`, asked, ...(smallest === null ? {} : { smallest }) };
  return new Refusal('budget_too_small', why, data);
}
