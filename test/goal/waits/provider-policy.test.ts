import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fallback, Wait } from '../../../src/contract/goal-state.ts';
import type { ProviderTrouble } from '../../../src/contract/turn-facts.ts';
import { canTake, initialChart, step } from '../../../src/goal/chart/machine.ts';
import { defaultPolicy, resolvePolicy } from '../../../src/goal/defaults.ts';
import {
  modelNow,
  nextTry,
  type Situation,
  shortWait,
} from '../../../src/goal/waits/provider-policy.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

const troubled = (
  kind: ProviderTrouble['kind'],
  retryAfterSeconds: number | null = null,
): ProviderTrouble => ({ kind, isRetryable: true, retryAfterSeconds, message: 'no' });

const situation = (change: Partial<Situation> = {}): Situation => ({
  policy: defaultPolicy,
  retries: 0,
  hasFallbackModel: false,
  fallback: null,
  now: NOW,
  random: 0.5,
  ...change,
});

describe('inside of a turn', () => {
  test.each([
    ['rate_limit', 3],
    ['overload', 3],
    ['connection', 3],
    ['malformed', 2],
    ['timeout', 1],
    ['content_refused', 1],
    ['auth', 0],
    ['quota', 0],
    ['context_overflow', 0],
    ['other', 0],
  ] as const)('M25 %s is tried again %i times', (kind, times) => {
    const tries = [1, 2, 3, 4, 5].filter((nth) => shortWait(troubled(kind), nth, 0.5) !== null);
    expect(tries).toHaveLength(times);
  });

  test('M25 advice of more than five seconds is left to the workflow', () => {
    expect(shortWait(troubled('rate_limit', 5), 1, 0.5)).toBeGreaterThanOrEqual(5);
    expect(shortWait(troubled('rate_limit', 6), 1, 0.5)).toBeNull();
  });
});

test('M25 many goals come back at different moments, none of them late', () => {
  const waits = [0, 0.5, 1].map((random) => shortWait(troubled('overload'), 1, random));
  expect(waits).toEqual([0.375, 0.5, 0.625]);
  const advised = (seconds: number, random: number) => {
    const next = nextTry(troubled('rate_limit', seconds), situation({ random, retries: 6 }));
    return next.kind === 'wait' ? next.seconds : next.kind;
  };
  expect([0, 1].map((random) => advised(60, random))).toEqual([60, 66.25]);
  expect(advised(3600, 1)).toBe(3630);
  // So short a wait was slept through inside of the turn, in vain.
  expect(advised(5, 0.5)).toBe(300);
});

test('M25 no wait is shorter than the provider said, and two goals rarely come at one moment', () => {
  const kinds = fc.constantFrom('rate_limit', 'overload', 'connection', 'timeout') as fc.Arbitrary<
    ProviderTrouble['kind']
  >;
  fc.assert(
    fc.property(
      kinds,
      fc.nat(86_400),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (kind, advice, random) => {
        const next = nextTry(troubled(kind, advice), situation({ random }));
        expect(next.kind).toBe('wait');
        if (next.kind !== 'wait') return;
        expect(next.seconds).toBeGreaterThanOrEqual(advice);
        expect(next.seconds).toBeLessThanOrEqual(advice + 30);
      },
    ),
  );
  const [early, late] = [0, 1].map((random) =>
    nextTry(troubled('overload'), situation({ random, retries: 2 })),
  );
  expect(early).toEqual({ kind: 'wait', seconds: 15 });
  expect(late).toEqual({ kind: 'wait', seconds: 25 });
});

test('M25 advice that was followed in vain, such as a date in the past, is no reason to hurry', () => {
  const waits = [0, 3, 9].map((retries) => {
    const next = nextTry(troubled('rate_limit', 0), situation({ retries }));
    return next.kind === 'wait' ? next.seconds : null;
  });
  expect(waits).toEqual([5, 40, 300]);
  expect([1, 2, 3].map((tries) => shortWait(troubled('overload', 0), tries, 0.5))).toEqual([
    0.5, 1, 2,
  ]);
});

describe('at the end of the policy', () => {
  test('without a fallback a person is needed', () => {
    expect(nextTry(troubled('overload'), situation({ retries: 10 })).kind).toBe('give_up');
    expect(nextTry(troubled('auth'), situation()).kind).toBe('give_up');
    expect(nextTry(troubled('malformed'), situation({ retries: 2 })).kind).toBe('give_up');
  });

  test('a goal may allow fewer waits, and a shorter one', () => {
    const policy = resolvePolicy({ continuation: { providerRetries: 0, providerWaitSeconds: 60 } });
    expect(nextTry(troubled('overload'), situation({ policy })).kind).toBe('give_up');
    const patient = resolvePolicy({ continuation: { providerWaitSeconds: 60 } });
    expect(nextTry(troubled('rate_limit', 61), situation({ policy: patient })).kind).toBe(
      'give_up',
    );
  });

  test('a wrap-up waits three times and never for long', () => {
    const wrapUp = situation({ isWrapUp: true });
    expect(nextTry(troubled('overload'), { ...wrapUp, retries: 2 }).kind).toBe('wait');
    expect(nextTry(troubled('overload'), { ...wrapUp, retries: 3 }).kind).toBe('give_up');
    expect(nextTry(troubled('rate_limit', 301), wrapUp).kind).toBe('give_up');
  });

  test('a state that an earlier version stored has the defaults', () => {
    const { providerRetries: _, providerWaitSeconds: __, ...older } = defaultPolicy.continuation;
    const policy = { ...defaultPolicy, continuation: older as typeof defaultPolicy.continuation };
    expect(nextTry(troubled('overload'), situation({ policy, retries: 9 })).kind).toBe('wait');
    expect(nextTry(troubled('overload'), situation({ policy, retries: 10 })).kind).toBe('give_up');
  });

  test('the fallback stands in for ten minutes, or for as long as the provider said', () => {
    const endOf = (trouble: ProviderTrouble, retries: number) => {
      const next = nextTry(trouble, situation({ retries, hasFallbackModel: true }));
      return next.kind === 'fall_back' ? next.fallback.until : next.kind;
    };
    expect(endOf(troubled('overload'), 9)).toBe('wait');
    expect(endOf(troubled('overload'), 10)).toBe(at(600));
    expect(endOf(troubled('auth'), 0)).toBe(at(600));
    expect(endOf(troubled('rate_limit', 60), 0)).toBe('wait');
    expect(endOf(troubled('rate_limit', 7200), 0)).toBe(at(7200));
    expect(endOf(troubled('rate_limit', 300), 0)).toBe('wait');
    expect(endOf(troubled('rate_limit', 301), 0)).toBe(at(600));
  });

  test('advice is taken up to what the policy waits for, and no further', () => {
    const day = 86_400;
    expect(nextTry(troubled('rate_limit', day), situation()).kind).toBe('wait');
    expect(nextTry(troubled('rate_limit', day + 1), situation()).kind).toBe('give_up');
    const next = nextTry(troubled('quota', 10 * day), situation({ hasFallbackModel: true }));
    expect(next).toMatchObject({ kind: 'fall_back', fallback: { since: at(0), until: at(day) } });
    const policy = resolvePolicy({ continuation: { providerWaitSeconds: 900 } });
    const sooner = nextTry(troubled('quota', day), situation({ hasFallbackModel: true, policy }));
    expect(sooner).toMatchObject({ fallback: { until: at(900) } });
  });

  test("the reason of a fallback is the failure in the provider's words, which are cut", () => {
    const trouble = { ...troubled('auth'), message: 'x'.repeat(1000) };
    const next = nextTry(trouble, situation({ hasFallbackModel: true }));
    const reason = next.kind === 'fall_back' ? next.fallback.reason : '';
    expect(reason).toBe(`auth: ${'x'.repeat(494)}`);
  });
});

const standing: Fallback = { since: at(0), until: at(600), reason: 'overload: no' };

describe('while the fallback stands in', () => {
  test('it gets the whole policy, and nothing follows it', () => {
    const on = situation({ hasFallbackModel: true, fallback: standing });
    expect(nextTry(troubled('overload'), on).kind).toBe('wait');
    expect(nextTry(troubled('overload'), { ...on, retries: 10 }).kind).toBe('give_up');
    expect(nextTry(troubled('auth'), on).kind).toBe('give_up');
  });

  test('afterwards the first model is asked, and one failure hands over again at once', () => {
    const goal = { model: 'a/first', fallbackModel: 'b/second', fallback: standing };
    expect(modelNow(goal, NOW + 599_000)).toBe('b/second');
    expect(modelNow(goal, NOW + 600_000)).toBe('a/first');
    const laterBy = (milliseconds: number) =>
      situation({ hasFallbackModel: true, fallback: standing, now: NOW + milliseconds });
    expect(nextTry(troubled('overload'), laterBy(599_999)).kind).toBe('wait');
    expect(nextTry(troubled('overload'), laterBy(600_000)).kind).toBe('fall_back');
    expect(nextTry(troubled('overload'), laterBy(700_000)).kind).toBe('fall_back');
  });

  test('a fallback that was taken away is not asked', () => {
    expect(modelNow({ model: 'a/first', fallbackModel: null, fallback: standing }, NOW)).toBe(
      'a/first',
    );
  });
});

describe('the chart', () => {
  const wait: Wait = { on: 'provider', reason: 'overload', since: at(0), until: at(60) };
  const waiting = step(initialChart(), { type: 'wait.began', wait });
  const limit = { name: 'deadline', used: at(0), allowed: at(0) } as const;

  test('a resume ends a wait for the provider, and no other', () => {
    const resumed = step(waiting, { type: 'goal.resumed', limit: null, next: 'start' });
    expect(resumed.value).toEqual({ active: 'running' });
    expect(resumed.context).toMatchObject({ wait: null, next: 'start' });
    const inLine = step(initialChart(), {
      type: 'wait.began',
      wait: { ...wait, on: 'workspace', until: null },
    });
    expect(canTake(inLine, { type: 'goal.resumed', limit: null, next: 'start' })).toBe(false);
  });

  test('another model ends it too, another budget does not', () => {
    const amended = { type: 'goal.amended', limit: null } as const;
    expect(step(waiting, { ...amended, changesModel: true }).value).toEqual({ active: 'running' });
    expect(step(waiting, amended).value).toEqual({ active: 'waiting' });
  });

  test('a person who resumes or names a model gets the first model asked', () => {
    const fallen = step(waiting, { type: 'model.fell_back', fallback: standing });
    expect(fallen).toMatchObject({
      value: { active: 'running' },
      context: { fallback: standing, wait: null },
    });
    const amended = step(fallen, { type: 'goal.amended', limit: null, changesModel: true });
    expect(amended.context.fallback).toBeNull();
    const pause = { reason: 'person', message: '', missing: [], since: at(0) } as const;
    const paused = step(fallen, { type: 'goal.paused', pause: { ...pause, missing: [] } });
    expect(paused.context.fallback).toEqual(standing);
    const resumed = step(paused, { type: 'goal.resumed', limit: null, next: 'resume' });
    expect(resumed.context.fallback).toBeNull();
  });

  test('a deadline that passes during a wait leads to the wrap-up', () => {
    const limited = step(waiting, { type: 'limit.passed', limit });
    expect(limited.value).toEqual({ budget_limited: 'wrapping_up' });
    expect(limited.context).toMatchObject({ wait: null, next: 'wrap_up', limit });
    const fellBack = step(limited, { type: 'model.fell_back', fallback: standing });
    expect(fellBack.value).toEqual({ budget_limited: 'wrapping_up' });
  });
});
