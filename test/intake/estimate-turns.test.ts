import { expect, it } from 'vitest';
import type { Past } from '../../schema/estimate.ts';
import { defaultBudget } from '../../src/goal/defaults.ts';
import { estimateTurns } from '../../src/intake/estimate-turns.ts';

const spread = (p50: number) => ({ p50, p90: p50 * 2 });
const past: Past = {
  scope: 'model',
  goals: 4,
  completed: 2,
  turns: spread(6),
  costUsd: spread(1),
  tokensPerTurn: spread(40_000),
  costPerTurn: spread(0.25),
  secondsPerTurn: spread(60),
};

it('a budget buys the turns of its scarcest limit, at the median of earlier turns', () => {
  expect(estimateTurns(defaultBudget, past)).toEqual({ turns: 100, first: 'turns' });
  const dear = { ...defaultBudget, costUsd: '2.60' };
  expect(estimateTurns(dear, past)).toEqual({ turns: 10, first: 'costUsd' });
});

it('nothing is foretold where no turn was settled yet', () => {
  const none = { ...past, tokensPerTurn: null, costPerTurn: null, secondsPerTurn: null };
  expect(estimateTurns(defaultBudget, none)).toBeNull();
});
