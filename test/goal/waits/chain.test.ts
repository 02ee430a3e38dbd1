import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continuationInputSchema } from '../../../schema/policy.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { WakeChain, WakeRequest } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { defaultContinuation, defaultPolicy } from '../../../src/goal/defaults.ts';
import {
  judgeWakeRequest,
  refusalText,
  tokensOf,
  waitsAsRequested,
} from '../../../src/goal/waits/chain.ts';
import { beginWake, pollDelaySeconds } from '../../../src/goal/waits/wake.ts';
import { makeFacts, makeInput, settle } from '../turn-facts.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const asked = (change: Partial<WakeRequest> = {}): WakeRequest => ({
  callId: 't1.s1.1',
  on: 'timer',
  seconds: null,
  until: null,
  generation: 0,
  ...change,
});
const chainOf = (change: Partial<WakeChain> = {}): WakeChain => ({
  startedAt: NOW,
  length: 1,
  tokensAtStart: 0,
  ...change,
});
const judge = (election: WakeRequest, chain: WakeChain | null = null, tokens = 0, limits = {}) =>
  judgeWakeRequest(election, {
    chain,
    generation: 0,
    usage: { ...noUsage, tokens },
    limits: { ...defaultContinuation, ...limits },
    now: NOW,
  });
const electing = (change: Partial<WakeRequest> = {}, facts = {}) =>
  makeFacts({
    end: 'election',
    election: asked(change),
    toolCalls: 1,
    finishReason: 'tool_calls',
    ...facts,
  });

describe('how long an election waits', () => {
  test.each([
    [null, 15, null],
    [30, 30, null],
    [0, 5, 'asked for 0 s; the bounds are 5–300 s'],
    [-7, 5, 'asked for -7 s; the bounds are 5–300 s'],
    [120, 120, null],
    [301, 300, 'asked for 301 s; the bounds are 5–300 s'],
    [7.4, 7, 'asked for 7.4 s; the bounds are 5–300 s'],
  ])('O3 O4 O16 a delay of %s waits %i s, and what was moved is said', (seconds, granted, note) => {
    expect(judge(asked({ seconds }))).toMatchObject({ isGranted: true, seconds: granted, note });
  });

  test('O16 no wish and no setting makes it longer than the most', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }),
        fc.integer({ min: 1, max: 3600 }),
        fc.integer({ min: 1, max: 86_400 }),
        (seconds, delayMinSeconds, delayMaxSeconds) => {
          const limits = { delayMinSeconds, delayMaxSeconds };
          const verdict = judge(asked({ seconds }), null, 0, limits);
          expect(verdict.isGranted && verdict.seconds).toBeLessThanOrEqual(delayMaxSeconds);
          expect(verdict.isGranted && verdict.seconds).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });

  test('a time that has passed wakes at once, one beyond the most at the most', () => {
    const at = (until: string) => judge(asked({ until }), null, 0, { waitMaxSeconds: 600 });
    expect(at('2025-12-31T00:00:00Z')).toMatchObject({ seconds: 0 });
    expect(at('2026-01-01T00:01:00Z')).toMatchObject({ seconds: 60, note: null });
    expect(at('2027-01-01T00:00:00Z')).toMatchObject({ seconds: 600 });
  });

  test.each([
    [null, 14_400, null],
    [30, 30, null],
    [0, 1, 'asked for 0 s; the bounds are 1–604800 s'],
    [604_801, 604_800, 'asked for 604801 s; the bounds are 1–604800 s'],
  ])('a condition is waited for %s s: %i, and what was moved is said', (seconds, granted, note) => {
    const verdict = judge(asked({ on: 'condition', seconds }));
    expect(verdict).toMatchObject({ isGranted: true, on: 'condition', seconds: granted, note });
  });

  test('a condition is looked at less and less often, within the bounds', () => {
    const after = (waited: number) => pollDelaySeconds(waited, defaultContinuation);
    expect([0, 20, 40, 100, 7200].map(after)).toEqual([5, 5, 10, 25, 60]);
  });
});

describe('the bounds of a chain', () => {
  test('O35 one wake more than its length is refused, with limit and value', () => {
    const full = { limit: 'chainLength', value: 11, allowed: 10 };
    expect(judge(asked(), chainOf({ length: 9 }))).toMatchObject({ isGranted: true });
    expect(judge(asked(), chainOf({ length: 10 }))).toEqual({ isGranted: false, ...full });
  });

  test('O17 O27 its tokens are capped within its length, and 0 is no cap', () => {
    const chain = chainOf({ tokensAtStart: 1000 });
    const over = { isGranted: false, limit: 'chainTokens', value: 500_000, allowed: 500_000 };
    expect(judge(asked(), chain, 501_000)).toEqual(over);
    expect(judge(asked(), chain, 500_999)).toMatchObject({ isGranted: true });
    expect(judge(asked(), chain, 9_999_999, { chainTokens: 0 })).toMatchObject({ isGranted: true });
  });

  test('what was asked for before a person cancelled or spoke is refused', () => {
    const verdict = judgeWakeRequest(asked(), {
      chain: null,
      generation: 1,
      usage: noUsage,
      limits: defaultContinuation,
      now: NOW,
    });
    expect(verdict).toMatchObject({ isGranted: false, limit: 'generation' });
  });

  test('a refusal says its bound, with its numbers where they say something', () => {
    expect(refusalText({ limit: 'generation', value: 0, allowed: 1 })).toBe(
      'The wake was not scheduled: it was asked for before a person spoke or cancelled.',
    );
    expect(refusalText({ limit: 'chainTokens', value: 9, allowed: 8 })).toBe(
      'The wake was not scheduled: chainTokens 9 of at most 8 (tokens spent in one row of wakes).',
    );
  });

  test('what a chain has spent is never less than nothing', () => {
    expect(tokensOf(chainOf({ tokensAtStart: 10 }), { tokens: 4 })).toBe(0);
  });

  test('a goal waits as it asked for where a clock or a condition ends its wait', () => {
    const wait = { reason: 'r', since: NOW, until: null };
    const ons = ['timer', 'condition', 'delegate', 'approval', 'provider', 'worker'] as const;
    const waits = ons.filter((on) => {
      const chart = step(initialChart(), { type: 'wait.began', wait: { ...wait, on } });
      return waitsAsRequested(chart);
    });
    expect(waits).toEqual(['timer', 'condition']);
    expect(waitsAsRequested(initialChart())).toBe(false);
  });

  test.each([
    { delayMinSeconds: -1 },
    { delayMaxSeconds: 0 },
    { delayDefaultSeconds: 1.5 },
    { chainLength: 0 },
    { chainTokens: -1 },
    { chainTokens: 0.5 },
    { chainLenght: 3 },
  ])('O32 the settings refuse %o', (given) => {
    expect(continuationInputSchema.safeParse(given).success).toBe(false);
  });

  test('O32 a cap of 0 tokens is taken: there is none', () => {
    expect(continuationInputSchema.safeParse({ chainTokens: 0 }).success).toBe(true);
  });
});

describe('a turn that ends by an election', () => {
  test('waits for the clock by rule 7, and its chain begins with no wake counted', () => {
    const decision = settle({ facts: electing({ seconds: 30 }, { detail: 'CI runs' }) });
    expect(decision).toMatchObject({
      rule: 'wake_request',
      outcome: { action: 'wait', on: 'timer', seconds: 30, next: 'wake' },
      sentence: 'Waits 30 s: CI runs.',
      chain: { length: 0 },
    });
  });

  test('is exempt from rule 10, also where nothing was met for long', () => {
    const counters = { ...initialCounters, turnsWithoutProgress: 10 };
    const decision = settle({ facts: electing(), counters });
    expect(decision).toMatchObject({ rule: 'wake_request', counters });
  });

  test('O35 is decided by the later rules where it is refused, and says the bound', () => {
    const decision = settle({ facts: electing(), chain: chainOf({ length: 10 }) });
    expect(decision).toMatchObject({
      rule: 'nudge',
      outcome: { action: 'nudge' },
      election: { isGranted: false, limit: 'chainLength' },
    });
    expect(decision.sentence).toContain('chainLength 11 of at most 10');
  });

  test('a refused one counts against rule 10 like any other turn', () => {
    const counters = { ...initialCounters, turnsWithoutProgress: 9 };
    const decision = settle({ facts: electing(), counters, chain: chainOf({ length: 10 }) });
    expect(decision).toMatchObject({ rule: 'no_progress', outcome: { reason: 'no_progress' } });
  });

  test('a person whose message is unread comes first', () => {
    const decision = settle({ facts: electing({}, { unread: 1 }) });
    expect(decision.outcome).toEqual({ action: 'continue', next: 'message' });
    expect(decision.chain).toBeUndefined();
  });

  test('a used-up budget comes first', () => {
    const usage = { ...noUsage, tokens: 1000 };
    expect(settle({ facts: electing(), usage })).toMatchObject({ rule: 'limit' });
  });

  test('whatever newly holds ends the chain, and the next one is granted from its beginning', () => {
    const facts = electing({}, { doneTodos: 1 });
    const decision = settle({ facts, chain: chainOf({ length: 10 }) });
    expect(decision).toMatchObject({ rule: 'wake_request', chain: { length: 0 } });
    const worked = makeFacts({ doneTodos: 1, toolCalls: 1 });
    const yielded = settle({ facts: worked, chain: chainOf() });
    expect(yielded.chain).toBeNull();
    expect(settle({ facts: makeFacts({ toolCalls: 1 }), chain: chainOf() }).chain).toBeUndefined();
  });
});

describe('when the timer fires', () => {
  const waiting = (chain: WakeChain, change: Partial<GoalState> = {}): GoalState => {
    const wait = { on: 'timer' as const, reason: 'r', since: NOW, until: NOW };
    const chart = step(initialChart(), { type: 'turn.waits', next: 'wake', wait });
    return {
      goalId: 'g-1',
      epoch: 1,
      revision: 3,
      chart: { ...chart, context: { ...chart.context, chain } },
      counters: initialCounters,
      policy: defaultPolicy,
      budget: makeInput().budget,
      mode: 'agent',
      criteriaRevision: 1,
      turn: 1,
      isTurnOpen: false,
      taskQueue: 'q',
      ...change,
    };
  };
  const limits = (change: object) => ({
    policy: { ...defaultPolicy, continuation: { ...defaultContinuation, ...change } },
  });

  test('O22 the wake begins and is counted', () => {
    const { chart, refusal } = beginWake(waiting(chainOf({ length: 2 })), noUsage, NOW);
    expect(refusal).toBeNull();
    expect(chart).toMatchObject({
      value: { active: 'running' },
      context: { next: 'wake', wait: null, chain: { length: 3 } },
    });
  });

  test('O22 a wake that no row led to begins one', () => {
    const { context } = waiting(chainOf()).chart;
    const { chain: _, ...alone } = context;
    const state = waiting(chainOf(), { chart: { value: { active: 'waiting' }, context: alone } });
    const { chart } = beginWake(state, { ...noUsage, tokens: 7 }, NOW);
    expect(chart.context.chain).toEqual({ startedAt: NOW, length: 1, tokensAtStart: 7 });
  });

  test('O15 bounds are read then: one that was lowered meanwhile pauses the goal', () => {
    const state = waiting(chainOf({ length: 3 }), limits({ chainLength: 2 }));
    const { chart, refusal } = beginWake(state, noUsage, NOW);
    expect(refusal).toEqual({ limit: 'chainLength', value: 4, allowed: 2 });
    expect(chart).toMatchObject({
      value: 'paused',
      context: { pause: { reason: 'no_progress', missing: [], since: NOW }, chain: { length: 3 } },
    });
  });

  test('O15 a budget that is used up by then leads to the wrap-up', () => {
    const { chart } = beginWake(waiting(chainOf()), { ...noUsage, turns: 100 }, NOW);
    expect(chart).toMatchObject({
      value: { budget_limited: 'wrapping_up' },
      context: { next: 'wrap_up', wait: null },
    });
  });
});
