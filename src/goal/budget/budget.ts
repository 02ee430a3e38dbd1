import type { Budget, BudgetInput, UsageFields } from '../../../schema/budget.ts';
import type { LimitReached } from '../../contract/turn-facts.ts';
import { defaultBudget } from '../defaults.ts';
import {
  addDecimals,
  compareDecimals,
  divideToWhole,
  multiplyDecimals,
  subtractDecimals,
} from './decimal.ts';

/** Dollars per million tokens, as decimal strings. */
export interface CallPrice {
  readonly inputPerMTok: string;
  readonly outputPerMTok: string;
}

export const noUsage: UsageFields = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  tokens: 0,
  costUsd: '0',
  turns: 0,
  steps: 0,
  activeSeconds: 0,
};

/** Held back for the output of the wrap-up's one call, tokens. */
export const WRAP_UP_RESERVE = 2000;

/** The first limit that is used up: reaching it is enough, it need not be exceeded. */
export function findLimit(budget: Budget, usage: UsageFields, now: string): LimitReached | null {
  return (
    countLimit('tokens', budget.tokens, usage.tokens) ??
    costLimit(budget.costUsd, usage.costUsd) ??
    countLimit('turns', budget.turns, usage.turns) ??
    countLimit('activeSeconds', budget.activeSeconds, usage.activeSeconds) ??
    deadlineLimit(budget.deadline, now)
  );
}

function countLimit(
  name: 'tokens' | 'turns' | 'activeSeconds',
  allowed: number | null,
  used: number,
): LimitReached | null {
  if (allowed === null || used < allowed) return null;
  return { name, used: String(used), allowed: String(allowed) };
}

function costLimit(allowed: string | null, used: string): LimitReached | null {
  if (allowed === null || compareDecimals(used, allowed) < 0) return null;
  return { name: 'costUsd', used, allowed };
}

function deadlineLimit(deadline: string | null, now: string): LimitReached | null {
  if (deadline === null || Date.parse(now) < Date.parse(deadline)) return null;
  return { name: 'deadline', used: now, allowed: deadline };
}

/** Does `budget` allow more than the limit that was reached, or no longer know it? */
export function isRaised({ name, allowed }: LimitReached, budget: Budget): boolean {
  const now = budget[name];
  if (now === null) return true;
  if (name === 'deadline') return Date.parse(String(now)) > Date.parse(allowed);
  return compareDecimals(String(now), allowed) > 0;
}

/**
 * Absent fields keep what applies, null takes a limit off. When a change would leave none of the
 * limits that `defaults` has, one of them comes back, so that no goal can run for ever: turns
 * where there is a default for them, else active time, else tokens.
 */
export function mergeBudget(
  current: Budget,
  change: BudgetInput,
  defaults: Budget = defaultBudget,
): Budget {
  const merged: Budget = {
    tokens: choose(change.tokens, current.tokens),
    costUsd: choose(change.costUsd, current.costUsd),
    turns: choose(change.turns, current.turns),
    activeSeconds: choose(change.activeSeconds, current.activeSeconds),
    deadline: choose(change.deadline, current.deadline),
  };
  const names = boundedBy.filter((name) => defaults[name] !== null);
  const [lastResort] = names;
  const isBounded = names.some((name) => merged[name] !== null);
  return isBounded || lastResort === undefined
    ? merged
    : { ...merged, [lastResort]: defaults[lastResort] };
}

const boundedBy = ['turns', 'activeSeconds', 'tokens'] as const;

function choose<Value>(change: Value | null | undefined, current: Value | null): Value | null {
  return change === undefined ? current : change;
}

/**
 * Output tokens that the next call may have so that its worst case still fits; 0 = can't pay.
 * `reserveForWrapUp` is in tokens and priced as output. Unlimited = `Number.MAX_SAFE_INTEGER`.
 *
 * @param price null leaves the cost budget out: it then stops the goal only after the call.
 */
export function remainingOutput(
  budget: Budget,
  usage: UsageFields,
  estimatedInput: number,
  reserveForWrapUp: number,
  price: CallPrice | null = null,
): number {
  return Math.min(
    payableByTokens(budget.tokens, usage.tokens + estimatedInput + reserveForWrapUp),
    payableByCost(budget.costUsd, usage.costUsd, estimatedInput, reserveForWrapUp, price),
  );
}

function payableByTokens(allowed: number | null, committed: number): number {
  return allowed === null ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(allowed - committed));
}

const million = '1000000';

function payableByCost(
  allowed: string | null,
  used: string,
  estimatedInput: number,
  reserveForWrapUp: number,
  price: CallPrice | null,
): number {
  if (allowed === null || price === null) return Number.MAX_SAFE_INTEGER;
  const left = multiplyDecimals(subtractDecimals(allowed, used), million);
  const input = multiplyDecimals(String(Math.ceil(estimatedInput)), price.inputPerMTok);
  if (compareDecimals(left, input) <= 0) return 0;
  if (compareDecimals(price.outputPerMTok, '0') === 0) return Number.MAX_SAFE_INTEGER;
  const output = divideToWhole(subtractDecimals(left, input), price.outputPerMTok);
  return Math.max(0, Number(output - BigInt(Math.ceil(reserveForWrapUp))));
}

/** The limit that leaves least for the next call, where it can't be paid or its answer was cut. */
export function tightestLimit(
  budget: Budget,
  usage: UsageFields,
  estimatedInput: number,
  price: CallPrice | null,
): LimitReached {
  const { tokens, costUsd } = budget;
  const byTokens = payableByTokens(tokens, usage.tokens + estimatedInput + WRAP_UP_RESERVE);
  const byCost = payableByCost(costUsd, usage.costUsd, estimatedInput, WRAP_UP_RESERVE, price);
  const needs = `the next call needs about ${estimatedInput} tokens of input`;
  return costUsd !== null && byCost < byTokens
    ? { name: 'costUsd', used: `${usage.costUsd} (${needs})`, allowed: costUsd }
    : { name: 'tokens', used: `${usage.tokens} (${needs})`, allowed: String(tokens) };
}

export function addUsage(total: UsageFields, more: UsageFields): UsageFields {
  return {
    inputTokens: total.inputTokens + more.inputTokens,
    cachedInputTokens: total.cachedInputTokens + more.cachedInputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    tokens: total.tokens + more.tokens,
    costUsd: addDecimals(total.costUsd, more.costUsd),
    turns: total.turns + more.turns,
    steps: total.steps + more.steps,
    activeSeconds: total.activeSeconds + more.activeSeconds,
  };
}
