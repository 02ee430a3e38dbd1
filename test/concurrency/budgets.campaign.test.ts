import { beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../bench/budget/audit.ts';
import { beyondBound } from '../../bench/budget/report.ts';
import { runBudgets } from '../../bench/budget/run.ts';

/** A dozen of the 500 goals of `npm run bench:budget`. */
const GOALS = 12;

let outcomes: readonly Outcome[] = [];
beforeAll(async () => {
  outcomes = await runBudgets({ goals: GOALS, seed: 7, atOnce: 4, longShare: 0.4 });
});

describe('goals with random budgets and a provider with random trouble', () => {
  test('M7 M15 all end at a limit, after one wrap-up', () => {
    expect(outcomes).toHaveLength(GOALS);
    for (const outcome of outcomes) {
      expect(outcome.ended).toMatch(/^budget_limited\//);
      expect(outcome.wrapUpCalls).toBeLessThanOrEqual(1);
    }
  });

  test('M7 none goes further over its limit than docs/budget.md states', () => {
    expect(beyondBound(outcomes)).toEqual([]);
    expect(outcomes.some(({ tokens }) => tokens !== null)).toBe(true);
    expect(outcomes.some(({ cutCalls }) => cutCalls > 0)).toBe(true);
    expect(outcomes.some(({ cost }) => cost !== null)).toBe(true);
  });

  test('M6 M17 every delivery is charged once, and the totals are the sums of the rows', () => {
    const wrong = outcomes.filter(({ doubled, lost, miscounted }) => doubled + lost + miscounted);
    expect(wrong).toEqual([]);
    expect(outcomes.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(GOALS);
  });
});
