import type { BudgetInput } from '../../schema/budget.ts';

/** One goal of the measurement: its limits, and the seed of everything that its model does. */
export interface Plan {
  readonly index: number;
  readonly budget: BudgetInput;
  /** True tokens of a request ÷ what a tokenizer counts of it. */
  readonly inputFactor: number;
  readonly random: () => number;
}

/** Prices of the scripted model, dollars per million tokens. */
export const PRICES = {
  inputPerMTok: '1.25',
  cachedInputPerMTok: '0.125',
  outputPerMTok: '10.00',
} as const;

const LIMITS: Readonly<Record<string, (random: () => number) => BudgetInput>> = {
  tokens: (random) => ({ tokens: whole(random, 9_000, 80_000) }),
  costUsd: (random) => ({ costUsd: (0.045 + random() * 0.25).toFixed(6) }),
  turns: (random) => ({ turns: whole(random, 1, 6) }),
  activeSeconds: (random) => ({ activeSeconds: whole(random, 1, 4) }),
};

/** The same seed gives the same goals. */
export function planGoals(count: number, seed: number): Plan[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomOf(seed * 1_000_003 + index);
    const chosen = Object.values(LIMITS).filter(() => random() < 0.5);
    const limits = chosen.length > 0 ? chosen : [LIMITS.tokens ?? (() => ({}))];
    const budget = Object.assign({}, ...limits.map((limit) => limit(random))) as BudgetInput;
    return { index, budget, inputFactor: 0.8 + random() * 0.45, random };
  });
}

export const whole = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
