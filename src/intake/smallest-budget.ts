import type { NewGoal } from '../contract/intake.ts';
import { WRAP_UP_RESERVE } from '../goal/budget/budget.ts';
import { compareDecimals } from '../goal/budget/decimal.ts';
import type { IntakeFacts } from './facts.ts';
import type { Issue } from './issue.ts';

/** The fewest tokens of a useful answer. */
const SHORTEST_ANSWER = 1000;
const ROUNDED_TO = 100;
/** Fifty criteria of the longest kind fit twice: no need to count. */
const SURELY_ENOUGH = 500_000;

type Facts = Pick<IntakeFacts, 'models' | 'firstCallTokens'>;

/**
 * A budget must pay for one call and its wrap-up, or the goal would end before it began. The issue
 * `budget_too_small` names the smallest budget that would do.
 */
export function smallBudgetIssue(facts: Facts, goal: NewGoal, now: Date): Issue | null {
  const { budget, model } = goal;
  if (budget.deadline !== null && Date.parse(budget.deadline) <= now.getTime()) {
    return tooSmall('deadline', budget.deadline, null, 'The deadline is over already.');
  }
  if ((budget.tokens ?? SURELY_ENOUGH) >= SURELY_ENOUGH && budget.costUsd === null) return null;
  const tokens = String(tokensOfOneCall(facts, goal));
  if (budget.tokens !== null && compareDecimals(String(budget.tokens), tokens) < 0) {
    const smallest = Number(settle(facts, goal, 'tokens', tokens));
    const why = `One call of this goal and its wrap-up take ${smallest} tokens.`;
    return tooSmall('tokens', budget.tokens, smallest, why);
  }
  const costUsd = priceOfOneCall(facts, goal);
  if (budget.costUsd === null || costUsd === null) return null;
  if (compareDecimals(budget.costUsd, costUsd) >= 0) return null;
  const smallest = settle(facts, goal, 'costUsd', costUsd);
  const why = `One call of ${model} for this goal and its wrap-up cost up to $${smallest}.`;
  return tooSmall('costUsd', budget.costUsd, smallest, why);
}

const outputTokens = SHORTEST_ANSWER + WRAP_UP_RESERVE;

/** The cost of one call and its wrap-up. */
export function firstCallOf(
  facts: Facts,
  goal: NewGoal,
): { tokens: number; costUsd: string | null } {
  return { tokens: tokensOfOneCall(facts, goal), costUsd: priceOfOneCall(facts, goal) };
}

function tokensOfOneCall(facts: Facts, goal: NewGoal): number {
  return Math.ceil((facts.firstCallTokens(goal) + outputTokens) / ROUNDED_TO) * ROUNDED_TO;
}

function priceOfOneCall(facts: Facts, goal: NewGoal): string | null {
  const inputTokens = tokensOfOneCall(facts, goal) - outputTokens;
  const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
  return facts.models.price(goal.model, usage)?.costUsd ?? null;
}

/** The prompt holds the budget, so more digits cost more; the named budget has to suffice. */
function settle(facts: Facts, goal: NewGoal, name: 'tokens' | 'costUsd', smallest: string): string {
  const value = name === 'tokens' ? Number(smallest) : smallest;
  const told = { ...goal, budget: { ...goal.budget, [name]: value } };
  const needed =
    name === 'tokens' ? String(tokensOfOneCall(facts, told)) : priceOfOneCall(facts, told);
  const isEnough = needed === null || compareDecimals(needed, smallest) <= 0;
  return isEnough ? smallest : settle(facts, goal, name, needed);
}

function tooSmall(
  name: 'tokens' | 'costUsd' | 'deadline',
  asked: number | string,
  smallest: number | string | null,
  why: string,
): Issue {
  const data = { field: `budget.${name}`, asked, ...(smallest === null ? {} : { smallest }) };
  return { code: 'budget_too_small', detail: why, data };
}
