import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultBudget } from '../../src/goal/defaults.ts';
import { resolveBudget } from '../../src/intake/budget.ts';
import { programsMaximum } from '../../src/intake/programs-policy.ts';
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

  it.each([
    ['tokens', 900, 901],
    ['turns', 9, 10],
    ['activeSeconds', 60, 61],
    ['costUsd', '2.5', '2.500000000001'],
  ] as const)(
    'CFG-3 a maximum of %s is the most that is given, and no limit is more',
    (name, most, more) => {
      const bounds = { ...noBudgetMaximum, [name]: most };
      const within = { ...defaultBudget, tokens: 900, [name]: most };
      const issueOf = (asked: number | string | null) => {
        const { issue } = resolveBudget({ [name]: asked }, bounds, within);
        return issue && [issue.code, issue.data.field, issue.data.maximum];
      };
      const refused = ['budget_above_maximum', `budget.${name}`, most];
      expect([issueOf(most), issueOf(more), issueOf(null)]).toEqual([null, refused, refused]);
    },
  );

  it.each(['tokens', 'turns', 'activeSeconds', 'costUsd'] as const)(
    'ROLE-2 a program is given at most the default %s, and where there is none the maximum',
    (name) => {
      const [own, most] = name === 'costUsd' ? ['2', '5'] : [20, 50];
      const budget = { ...defaultBudget, [name]: own };
      const budgetMaximum = { ...noBudgetMaximum, [name]: most };
      expect(programsMaximum({ budget, budgetMaximum })[name]).toBe(own);
      const open = { ...budget, [name]: null };
      expect(programsMaximum({ budget: open, budgetMaximum })[name]).toBe(most);
    },
  );

  it('keeps what a change does not name, and takes null as "no limit of this kind"', () => {
    const current = { ...defaultBudget, tokens: 7, costUsd: '2' };
    expect(resolveBudget({ costUsd: null, turns: 3 }, noBudgetMaximum, current).value).toEqual({
      ...current,
      costUsd: null,
      turns: 3,
    });
  });
});
