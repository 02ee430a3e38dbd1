import type { TurnOutline } from '../api/types.ts';

export interface TurnCost {
  readonly tokens: number;
  readonly costUsd: number;
}

/** One turn's part of the sums; null where its beginning or its end isn't known. */
export function turnCost(timeline: readonly TurnOutline[], turn: number): TurnCost | null {
  const own = timeline.find((one) => one.turn === turn);
  if (own === undefined || own.tokens === null) return null;
  const before = timeline.find((one) => one.turn === turn - 1);
  if (before === undefined && turn > 1) return null;
  return {
    tokens: own.tokens - (before?.tokens ?? 0),
    costUsd: Number(own.costUsd ?? 0) - Number(before?.costUsd ?? 0),
  };
}
