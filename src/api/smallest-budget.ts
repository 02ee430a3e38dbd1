import { Refusal } from '../contract/failures.ts';
import type { NewGoal } from '../contract/intake.ts';
import { WRAP_UP_RESERVE } from '../goal/budget/budget.ts';
import { compareDecimals } from '../goal/budget/decimal.ts';
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
  const tokens = String(tokensOfOneCall(ports, goal));
  if (budget.tokens !== null && compareDecimals(String(budget.tokens), tokens) < 0) {
    const smallest = Number(settle(ports, goal, 'tokens', tokens));
    const why = `One call of this goal and its wrap-up take ${smallest} tokens.`;
    throw tooSmall('tokens', budget.tokens, smallest, why);
  }
  const costUsd = priceOfOneCall(ports, goal);
  if (budget.costUsd === null || costUsd === null) return;
  if (compareDecimals(budget.costUsd, costUsd) >= 0) return;
  const smallest = settle(ports, goal, 'costUsd', costUsd);
  const why = `One call of ${model} for this goal and its wrap-up cost up to $${smallest}.`;
  throw tooSmall('costUsd', budget.costUsd, smallest, why);
}

const outputTokens = SHORTEST_ANSWER + WRAP_UP_RESERVE;

/** What one call and its wrap-up take. */
export function firstCallOf(
  ports: ApiPorts,
  goal: NewGoal,
): { tokens: number; costUsd: string | null } {
  return { tokens: tokensOfOneCall(ports, goal), costUsd: priceOfOneCall(ports, goal) };
}

function tokensOfOneCall(ports: ApiPorts, goal: NewGoal): number {
  return Math.ceil((ports.firstCallTokens(goal) + outputTokens) / ROUNDED_TO) * ROUNDED_TO;
}

function priceOfOneCall(ports: ApiPorts, goal: NewGoal): string | null {
  const inputTokens = tokensOfOneCall(ports, goal) - outputTokens;
  const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
  return ports.models.price(goal.model, usage)?.costUsd ?? null;
}

/** The model is told its budget, so a longer figure costs more: the one that is named must do. */
function settle(
  ports: ApiPorts,
  goal: NewGoal,
  name: 'tokens' | 'costUsd',
  smallest: string,
): string {
  const value = name === 'tokens' ? Number(smallest) : smallest;
  const told = { ...goal, budget: { ...goal.budget, [name]: value } };
  const needed =
    name === 'tokens' ? String(tokensOfOneCall(ports, told)) : priceOfOneCall(ports, told);
  const isEnough = needed === null || compareDecimals(needed, smallest) <= 0;
  return isEnough ? smallest : settle(ports, goal, name, needed);
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
