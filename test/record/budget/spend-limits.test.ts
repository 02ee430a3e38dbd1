import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ServiceRulesInput, serviceRulesSchema } from '../../../schema/service-rules.ts';
import type { SpendLimit, StandingLimit } from '../../../src/contract/spend.ts';
import { resolveRules } from '../../../src/intake/service-rules.ts';
import {
  fillOf,
  namedBeside,
  reachedLimit,
  reachedWords,
} from '../../../src/record/budget/spend-limits.ts';

const spendLimits = (spend: ServiceRulesInput['spend']) =>
  resolveRules({ spend }).value?.spend ?? [];

const read = (spend: unknown) => serviceRulesSchema.safeParse({ spend });
const problem = (spend: unknown) => {
  const issue = read(spend).error?.issues[0];
  return `${issue?.path.join('.')}: ${issue?.message}`;
};

describe("the operator's spend limits", () => {
  test('SPEND-1 hold for the whole service in UTC unless they say otherwise', () => {
    const limits = spendLimits(read([{ per: 'day', costUsd: '20' }]).data?.spend);
    expect(limits).toEqual([
      { of: 'service', name: null, per: 'day', timeZone: 'UTC', costUsd: '20', tokens: null },
    ]);
  });

  test.each<[unknown, RegExp]>([
    [[{ per: 'day' }], /^spend\.0\.costUsd: .*names costUsd, tokens or both/],
    [[{ per: 'day', costUsd: '0' }], /^spend\.0\.costUsd: a decimal above 0/],
    [[{ per: 'day', tokens: 0 }], /^spend\.0\.tokens/],
    [[{ per: 'hour', tokens: 9 }], /^spend\.0\.per/],
    [[{ per: 'day', tokens: 9, timeZone: 'Mars/Base' }], /^spend\.0\.timeZone/],
    [[{ per: 'day', tokens: 9, name: 'shop' }], /^spend\.0\.name: the whole service has none/],
    [[{ of: 'team', per: 'day', tokens: 9 }], /^spend\.0\.of/],
    [[{ per: 'day', tokens: 9, most: 9 }], /^spend\.0: .*most/],
    [
      [
        { per: 'day', tokens: 9 },
        { per: 'day', costUsd: '1' },
      ],
      /^spend\.1\.of: another limit is about the same service and day/,
    ],
  ])('SPEND-1 %j is refused with its place', (spend, why) => {
    expect(problem(spend)).toMatch(why);
  });

  test('SPEND-1 one that names somebody takes the place of the one for each', () => {
    const limits = spendLimits(
      read([
        { of: 'principal', per: 'day', costUsd: '5' },
        { of: 'principal', name: 'ci', per: 'day', costUsd: '50' },
        { of: 'principal', name: 'bot', per: 'week', costUsd: '50' },
      ]).data?.spend,
    );
    expect(limits.map((limit) => namedBeside(limits, limit))).toEqual([['ci'], [], []]);
  });
});

const limit: SpendLimit = {
  ...{ of: 'workspace', name: 'shop', per: 'day', timeZone: 'UTC' },
  ...{ costUsd: '20', tokens: 1000 },
};
const standing = (sums: Partial<StandingLimit>): StandingLimit => ({
  ...{ limit, subject: 'shop', from: '2026-11-26T00:00:00.000Z', to: '2026-11-27T00:00:00.000Z' },
  ...{ costUsd: '0', tokens: 0, heldUsd: '0', heldTokens: 0 },
  ...sums,
});

describe('a call that is held already', () => {
  test('SPEND-2 fits to the last cent, and not one further', () => {
    const fits = { costUsd: '19', heldUsd: '1' };
    expect(reachedLimit([standing(fits)], { costUsd: '1', tokens: 0 })).toBeNull();
    const reached = reachedLimit([standing({ ...fits, costUsd: '19.000001' })], {
      costUsd: '1',
      tokens: 0,
    });
    expect(reached).toMatchObject({ measure: 'costUsd', needs: '1', isHeldAlone: false });
    expect(reached && reachedWords(reached)).toBe(
      'the limit of workspace shop per day leaves too little: 19.000001 of 20 USD spent, ' +
        'the next call may take 1; the period begins anew at 2026-11-27T00:00:00.000Z',
    );
  });

  test('SPEND-2 waits for calls under way where they alone stand in its way', () => {
    const held = standing({ costUsd: '2', heldUsd: '19', heldTokens: 10 });
    expect(reachedLimit([held], { costUsd: '1', tokens: 1 })).toMatchObject({ isHeldAlone: true });
  });

  test('SPEND-2 of an agent, which tells no need, is refused once the limit is used up', () => {
    const need = { costUsd: '0', tokens: 0 };
    expect(reachedLimit([standing({ tokens: 999 })], need)).toBeNull();
    expect(reachedLimit([standing({ tokens: 1000 })], need)).toMatchObject({ measure: 'tokens' });
  });

  test('SPEND-2 is refused exactly where it could exceed a measure (property)', () => {
    const amount = fc.nat(30);
    fc.assert(
      fc.property(amount, amount, amount, (spent, others, need) => {
        const sums = { costUsd: `${spent}`, heldUsd: `${others + need}` };
        const reached = reachedLimit([standing(sums)], { costUsd: `${need}`, tokens: 0 });
        expect(reached !== null).toBe(spent >= 20 || spent + others + need > 20);
        if (reached?.isHeldAlone) expect(spent + need).toBeLessThanOrEqual(20);
      }),
    );
  });
});

test('SPEND-3 how full a limit is tells its fuller measure', () => {
  expect(fillOf(standing({ costUsd: '5', tokens: 100 }))).toBe(0.25);
  expect(fillOf(standing({ costUsd: '5', tokens: 900 }))).toBe(0.9);
});
