import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitReached } from '../../../src/contract/turn-facts.ts';
import {
  addUsage,
  findLimit,
  isRaised,
  mergeBudget,
  noUsage,
  remainingOutput,
  tightestLimit,
  WRAP_UP_RESERVE,
} from '../../../src/goal/budget/budget.ts';
import {
  addDecimals,
  compareDecimals,
  subtractDecimals,
} from '../../../src/goal/budget/decimal.ts';
import { defaultBudget } from '../../../src/goal/defaults.ts';

const none = { tokens: null, costUsd: null, turns: null, activeSeconds: null, deadline: null };
const now = '2026-01-01T12:00:00.000Z';
const money = fc
  .tuple(fc.nat(999_999), fc.nat(999_999))
  .map(([a, b]) => `${a}.${String(b).padStart(6, '0')}`);
const micros = (text: string) => Math.round(Number(text) * 1e6);

describe('decimals', () => {
  it('adds and subtracts exactly (property)', () => {
    fc.assert(
      fc.property(money, money, (a, b) => {
        const sum = addDecimals(a, b);
        expect(micros(sum)).toBe(micros(a) + micros(b));
        expect(compareDecimals(subtractDecimals(sum, b), a)).toBe(0);
        expect(compareDecimals(a, b)).toBe(Math.sign(micros(a) - micros(b)));
      }),
    );
  });

  it('owes nothing, and takes nothing that is no decimal', () => {
    expect(subtractDecimals('0.1', '0.2')).toBe('0');
    for (const text of ['', 'x', '-1', '1.', '.5', '1e3', '1.5 '])
      expect(() => addDecimals('1', text)).toThrow('not a decimal');
  });

  it('adds usage up field by field (property)', () => {
    const usage = fc.record({
      inputTokens: fc.nat(),
      cachedInputTokens: fc.nat(),
      outputTokens: fc.nat(),
      tokens: fc.nat(),
      turns: fc.nat(),
      steps: fc.nat(),
      activeSeconds: fc.nat(),
    });
    fc.assert(
      fc.property(usage, usage, money, money, (one, other, paid, more) => {
        const sum = addUsage({ ...one, costUsd: paid }, { ...other, costUsd: more });
        expect(sum).toEqual({
          ...Object.fromEntries(
            Object.entries(one).map(([name, value]) => [
              name,
              value + other[name as keyof typeof other],
            ]),
          ),
          costUsd: addDecimals(paid, more),
        });
      }),
    );
  });

  it('adds up sub-cent turns (M17)', () => {
    const turn = { ...noUsage, costUsd: '0.000001' };
    let total = noUsage;
    for (let index = 0; index < 1000; index += 1) total = addUsage(total, turn);
    expect(total.costUsd).toBe('0.001');
  });
});

describe('limits', () => {
  it.each([
    [{ tokens: 25 }, { tokens: 24 }, null],
    [{ tokens: 25 }, { tokens: 25 }, 'tokens'],
    [{ costUsd: '0.30' }, { costUsd: '0.299999999999' }, null],
    [{ costUsd: '0.30' }, { costUsd: '0.3' }, 'costUsd'],
    [{ turns: 2 }, { turns: 2 }, 'turns'],
    [{ activeSeconds: 60 }, { activeSeconds: 60.5 }, 'activeSeconds'],
    [{ deadline: '2026-01-01T13:00:00+01:00' }, {}, 'deadline'],
    [{ deadline: '2026-01-01T12:00:01Z' }, {}, null],
  ])('%o with %o used is limited by %s (M7, M8)', (budget, usage, name) => {
    const limit = findLimit({ ...none, ...budget }, { ...noUsage, ...usage }, now);
    expect(limit?.name ?? null).toBe(name);
  });
});

describe('of several limits that are used up', () => {
  it('the first is named: tokens, money, turns, active time, deadline (M7)', () => {
    const order = ['tokens', 'costUsd', 'turns', 'activeSeconds', 'deadline'] as const;
    const budget = { tokens: 1, costUsd: '1', turns: 1, activeSeconds: 1, deadline: now };
    const usage = { ...noUsage, tokens: 1, costUsd: '1', turns: 1, activeSeconds: 1 };
    const named = order.map((_, index) => {
      const gone = Object.fromEntries(order.slice(0, index).map((name) => [name, null]));
      return findLimit({ ...budget, ...gone }, usage, now)?.name;
    });
    expect(named).toEqual([...order]);
  });
});

describe('a limit that was reached', () => {
  it.each<[LimitReached['name'], string, object, boolean]>([
    ['tokens', '9', { tokens: 10 }, true],
    ['tokens', '9', { tokens: 9 }, false],
    ['tokens', '10', { tokens: 9 }, false],
    ['costUsd', '0.9', { costUsd: '0.10' }, false],
    ['costUsd', '0.9', { costUsd: '0.91' }, true],
    ['turns', '9', {}, true],
    ['deadline', '2026-01-01T12:00:00Z', { deadline: '2026-01-01T13:00:00+01:00' }, false],
    ['deadline', '2026-01-01T12:00:00Z', { deadline: '2026-01-01T12:00:01Z' }, true],
  ])('of %s at %s is raised by %o: %s (M9)', (name, allowed, budget, expected) => {
    expect(isRaised({ name, used: allowed, allowed }, { ...none, ...budget })).toBe(expected);
  });
});

describe('changes of a budget', () => {
  it('keeps what is absent, takes off what is null', () => {
    const merged = mergeBudget(defaultBudget, { tokens: null, costUsd: '2' });
    expect(merged).toEqual({ ...defaultBudget, tokens: null, costUsd: '2' });
  });

  it('never leaves a goal without any of the default limits', () => {
    const merged = mergeBudget(defaultBudget, { ...none, deadline: '2030-01-01T00:00:00Z' });
    expect(merged).toEqual({
      ...none,
      deadline: '2030-01-01T00:00:00Z',
      turns: defaultBudget.turns,
    });
  });
});

describe('a goal that a change would leave without any limit', () => {
  const free = { ...none, deadline: '2030-01-01T00:00:00Z' };

  it.each([
    ['gets its turns back', { turns: 9, activeSeconds: 90, tokens: 900 }, { turns: 9 }],
    ['else its active time', { activeSeconds: 90, tokens: 900 }, { activeSeconds: 90 }],
    ['else its tokens', { tokens: 900 }, { tokens: 900 }],
    ['else nothing, where the service has no limits', {}, {}],
  ])('%s', (_, defaults, back) => {
    expect(mergeBudget(none, free, { ...none, ...defaults })).toStrictEqual({ ...free, ...back });
  });

  it('is bounded by any limit that the service has, and by no other', () => {
    const kept = mergeBudget(defaultBudget, { turns: null, activeSeconds: null });
    expect(kept).toEqual({ ...defaultBudget, turns: null, activeSeconds: null });
    const timed = { ...none, activeSeconds: 90 };
    expect(mergeBudget(none, { turns: 5 }, timed)).toEqual({ ...timed, turns: 5 });
  });
});

describe('what the next call may cost', () => {
  it('leaves input and wrap-up out and never goes below zero', () => {
    const budget = { ...none, tokens: 1000 };
    const usage = { ...noUsage, tokens: 400 };
    expect(remainingOutput(budget, usage, 300, 100)).toBe(200);
    expect(remainingOutput(budget, usage, 600, 100)).toBe(0);
    expect(remainingOutput(none, usage, 600, 100)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ['pays its input and the wrap-up before its output', '0.001', '1', '10', 100, 40, 50],
    ['leaves the wrap-up what it needs', '0.001', '1', '10', 100, 140, 0],
    ['needs its input paid where output is free', '0.0003', '1', '0', 300, 0, 0],
    ['is endless where output is free', '0.0004', '1', '0', 300, 0, Number.MAX_SAFE_INTEGER],
    ['is endless where it as good as is', '9', '1', '0.0000000001', 1, 0, Number.MAX_SAFE_INTEGER],
  ])('%s', (_, costUsd, inputPerMTok, outputPerMTok, input, reserve, expected) => {
    const price = { inputPerMTok, outputPerMTok };
    const budget = { ...none, costUsd };
    expect(remainingOutput(budget, noUsage, input, reserve, price)).toBe(expected);
    expect(remainingOutput(budget, noUsage, input, reserve)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('stays within the money (property)', () => {
    const price = { inputPerMTok: '1.25', outputPerMTok: '10' };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(100_000), (cents, input) => {
        const costUsd = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const output = remainingOutput({ ...none, costUsd }, noUsage, input, 0, price);
        const bill = (tokens: number) => (input * 1.25 + tokens * 10) / 1e6;
        if (output > 0) expect(bill(output)).toBeLessThanOrEqual(cents / 100 + 1e-12);
        expect(bill(output + 1)).toBeGreaterThan(cents / 100 - 1e-12);
      }),
    );
  });
});

describe('the limit that keeps the next call from being paid', () => {
  const price = { inputPerMTok: '1', outputPerMTok: '10' };
  const usage = { ...noUsage, tokens: 900, costUsd: '0.5' };

  it.each([
    [{ tokens: 1000 }, 'tokens', '1000'],
    [{ costUsd: '0.51' }, 'costUsd', '0.51'],
    [{ tokens: 1_000_000, costUsd: '0.51' }, 'costUsd', '0.51'],
    [{ tokens: 1000, costUsd: '50' }, 'tokens', '1000'],
  ])('of %o is %s (M7)', (budget, name, allowed) => {
    const limit = tightestLimit({ ...none, ...budget }, usage, 300, price);
    expect(limit).toMatchObject({ name, allowed });
    expect(limit.used).toMatch(name === 'tokens' ? /^900 / : /^0\.5 /);
  });

  it('of two that leave the same is the tokens, which are sure (M7)', () => {
    const tokens = usage.tokens + 300 + WRAP_UP_RESERVE + 6800;
    const named = (costUsd: string) =>
      tightestLimit({ ...none, tokens, costUsd }, usage, 300, price).name;
    // Behind its input, a dollar less the wrap-up buys a hundred thousand tokens of output.
    expect(named('0.5883')).toBe('tokens');
    expect(named('0.5884')).toBe('tokens');
    expect(named('0.5882')).toBe('costUsd');
  });
});
