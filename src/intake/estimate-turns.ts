import type { Budget, LimitName } from '../../schema/budget.ts';
import type { Past } from '../../schema/estimate.ts';

export interface Bought {
  readonly turns: number;
  /** The limit that ends it. */
  readonly first: LimitName;
}

/** Turns that a budget pays for at the median of what a turn took; null = no limit that can tell. */
export function estimateTurns(budget: Budget, past: Past): Bought | null {
  const reached = [
    ...enough('tokens', budget.tokens, past.tokensPerTurn?.p50),
    ...enough('costUsd', budget.costUsd, past.costPerTurn?.p50),
    ...enough('activeSeconds', budget.activeSeconds, past.secondsPerTurn?.p50),
  ];
  // By itself the number of turns only repeats what was asked for.
  if (reached.length === 0) return null;
  const all = [...reached, ...enough('turns', budget.turns, 1)];
  return all.reduce((least, one) => (one.turns < least.turns ? one : least));
}

function enough(
  first: LimitName,
  limit: number | string | null,
  perTurn: number | undefined,
): Bought[] {
  if (limit === null || perTurn === undefined || perTurn <= 0) return [];
  return [{ first, turns: Math.floor(Number(limit) / perTurn) }];
}
