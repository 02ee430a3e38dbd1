import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultBudget } from '../../src/goal/defaults.ts';
import { resolveBudget } from '../../src/intake/budget.ts';
import { builtInRules } from '../../src/intake/service-rules.ts';

const { budgetMaximum: noBudgetMaximum } = builtInRules;

const places = 12;
const unit = 10n ** BigInt(places);
const decimal = (amount: bigint) =>
  `${amount / unit}.${String(amount % unit).padStart(places, '0')}`;

describe('the bounds of a budget', () => {
  it('compares money exactly, to the last of its places (M14)', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 20n });
    fc.assert(
      fc.property(amount, fc.bigInt({ min: -2n, max: 2n }), (maximum, distance) => {
        fc.pre(maximum + distance > 0n);
        const bounds = { ...noBudgetMaximum, costUsd: decimal(maximum) };
        const check = () => resolveBudget({ costUsd: decimal(maximum + distance) }, bounds);
        expect(check().issue?.code === 'budget_above_maximum').toBe(distance > 0n);
      }),
    );
  });

  it('keeps what a change does not name, and takes null as "no limit of this kind"', () => {
    const current = { ...defaultBudget, tokens: 7, costUsd: '2' };
    expect(resolveBudget({ costUsd: null, turns: 3 }, noBudgetMaximum, current).value).toEqual({
      ...current,
      costUsd: null,
      turns: 3,
    });
  });
});
