import { describe, expect, test } from 'vitest';
import type { Budget, UsageFields } from '../../../schema/budget.ts';
import type { Pause } from '../../../schema/goal.ts';
import type { Decision, DecisionInput } from '../../../src/contract/decision.ts';
import type { ChartSnapshot } from '../../../src/contract/goal-state.ts';
import type { DelegateFacts, TurnFacts } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { countUnproductiveWait } from '../../../src/goal/decision/counters.ts';
import { defaultBudget, defaultContinuation, defaultPolicy } from '../../../src/goal/defaults.ts';
import { shareOf, unusedOf } from '../../../src/record/budget/delegate-share.ts';
import { objectiveFor, reportText } from '../../../src/record/delegates/delegate-text.ts';
import {
  awaitedReturns,
  closeEnded,
  endOfDelegate,
  type GrantContext,
  isSameTask,
  leadsOn,
  mayAskFor,
  mayBeginDue,
  prefersWorktree,
  refuseGrant,
  startOf,
  termsOf,
  unseenEnd,
  wantedOfDelegates,
} from '../../../src/record/delegates/delegates.ts';
import {
  claimFacts,
  makeCriterion,
  makeEvidence,
  makeFacts,
  makeInput,
  settle,
} from '../../goal/turn-facts.ts';

const NOW = '2026-01-01T00:00:00.000Z';

const having = (delegates: Partial<DelegateFacts>): Pick<TurnFacts, 'delegates'> => ({
  delegates: { unread: 0, waking: 0, awaited: 0, ...delegates },
});

const yielded = (change: Partial<TurnFacts>) =>
  makeFacts({ end: 'yield', finishReason: 'stop', toolCalls: 1, ...change });

describe('a turn of a goal with delegates', () => {
  test('O20 waits for them when it yields, without a clock beside', () => {
    const { rule, outcome } = settle({ facts: yielded(having({ awaited: 2 })) });
    expect(rule).toBe('delegates');
    expect(outcome).toEqual({ action: 'wait', on: 'delegate', seconds: null, next: 'wake' });
  });

  test('O20 sets no work timer beside them, and keeps waiting for a condition', () => {
    const election = { callId: 'c', seconds: 30, until: null, generation: 0 } as const;
    const asks = (on: 'timer' | 'condition') =>
      makeFacts({
        end: 'election',
        election: { ...election, on },
        toolCalls: 2,
        ...having({ awaited: 1 }),
      });
    const beside = settle({ facts: asks('timer') });
    expect(beside.outcome).toMatchObject({ action: 'wait', on: 'delegate', seconds: null });
    expect(beside.chain).toBeUndefined();
    const outcome = { action: 'wait', on: 'condition' };
    expect(settle({ facts: asks('condition') }).outcome).toMatchObject(outcome);
  });

  test('adds nothing to the counts of rule 10 while it waits', () => {
    const facts = yielded({ toolCalls: 0, ...having({ awaited: 1 }) });
    const before = makeInput({}).counters;
    const unmet = makeEvidence([makeCriterion({ state: 'unmet' })]);
    const { counters } = settle({ facts, evidence: unmet });
    expect(counters.toolFreeTurns).toBe(before.toolFreeTurns);
    expect(counters.turnsWithoutProgress).toBe(before.turnsWithoutProgress);
  });

  test('pauses at last where all that it asks for is refused', () => {
    const before = makeInput({}).counters;
    expect(countUnproductiveWait(before, before).turnsWithoutProgress).toBe(1);
    const facts = yielded(having({ awaited: 1 }));
    const stuck = { ...before, turnsWithoutProgress: 9 };
    expect(settle({ facts, counters: stuck }).rule).toBe('no_progress');
  });

  test('does not wait for silent ones, nor where the reply was cut off', () => {
    expect(settle({ facts: yielded(having({})) }).outcome.action).toBe('nudge');
    const cut = yielded({ finishReason: 'length', ...having({ awaited: 1 }) });
    expect(settle({ facts: cut }).rule).toBe('truncated');
  });

  test('O38 reads a result before it waits, is nudged or pauses for want of progress', () => {
    const waking = having({ unread: 1, waking: 1, awaited: 1 });
    expect(settle({ facts: yielded(waking) }).outcome).toEqual({
      action: 'continue',
      next: 'wake',
    });
    const stuck = { ...makeInput({}).counters, turnsWithoutProgress: 9 };
    const facts = yielded(having({ unread: 1, waking: 1 }));
    expect(settle({ facts, counters: stuck }).outcome).toEqual({
      action: 'continue',
      next: 'wake',
    });
  });

  test('C6 its claim waits for a result that nobody has read, also a silent one', () => {
    const facts = claimFacts(having({ unread: 1 }));
    const { rule, outcome } = settle({ facts, evidence: makeEvidence() });
    expect([rule, outcome]).toEqual(['claim', { action: 'continue', next: 'wake' }]);
  });

  test("a person's message comes before a delegate's result", () => {
    const facts = yielded({ unread: 1, ...having({ unread: 1, waking: 1 }) });
    expect(settle({ facts }).outcome).toEqual({ action: 'continue', next: 'message' });
  });
});

describe('a goal that is a delegate', () => {
  const finding = (change: Partial<TurnFacts>, more: Partial<DecisionInput> = {}) =>
    settle({ facts: yielded({ mode: 'gather', ...change }), isDelegate: true, ...more });

  test('R37 ends with the text with which it stops, and is asked for no change', () => {
    expect(finding({})).toMatchObject({
      rule: 'finding',
      outcome: { action: 'complete', source: 'implicit', verification: 'supported' },
    });
  });

  test('ends so whatever polite words close its text', () => {
    const signals = { ...yielded({}).signals, waitsForPerson: true, asksDirectly: true };
    expect(finding({ signals }).outcome.action).toBe('complete');
  });

  test.each([
    ['an empty text', { signals: { ...yielded({}).signals, isEmpty: true } }],
    ['a text that was cut off', { finishReason: 'length' as const }],
    ['an open item', { openTodos: ['t1'] }],
    ['delegates of its own', having({ awaited: 1 })],
    ['an unread message', { unread: 1 }],
  ])('does not end with %s', (_, change) => {
    expect(finding(change).outcome.action).not.toBe('complete');
  });

  test('C3 a goal that nobody delegated to never ends like this', () => {
    expect(settle({ facts: yielded({ mode: 'gather' }) }).outcome.action).toBe('nudge');
  });

  test('its claim is its result, without a person', () => {
    const facts = claimFacts({ receipts: 0, hasTodos: false });
    const empty = makeEvidence([]);
    expect(settle({ facts, evidence: empty, isDelegate: true }).outcome).toMatchObject({
      action: 'complete',
      verification: 'supported',
    });
    expect(settle({ facts, evidence: empty }).outcome.action).toBe('pause');
  });
});

describe('the end of a delegate', () => {
  const active = initialChart();
  const paused = (reason: 'person' | 'message' | 'question' | 'recovery'): ChartSnapshot =>
    step(active, {
      type: 'goal.paused',
      pause: { reason, message: 'why', missing: [], since: NOW },
    });
  const limit = { name: 'tokens', used: '11', allowed: '10' } as const;
  const wrapping = step(active, { type: 'turn.limited', limit });

  test.each([
    ['it runs', active, null],
    ['a person paused it', paused('person'), null],
    ['a person spoke to it', paused('message'), null],
    ['it asks somebody who is not there', paused('question'), 'failed'],
    ['its execution was lost', paused('recovery'), 'lost'],
    ['it wraps up', wrapping, null],
    ['its budget is used up', step(wrapping, { type: 'turn.limited', limit }), 'limited'],
    ['it was cleared', step(active, { type: 'goal.cleared' }), 'stopped'],
    ['it is complete', step(active, { type: 'goal.completed' }), 'finding'],
  ])('where %s', (_, chart, kind) => {
    expect(endOfDelegate(chart)?.kind ?? null).toBe(kind);
  });

  test('is told with its reason, which is cut', () => {
    const limited = step(wrapping, { type: 'turn.limited', limit });
    expect(endOfDelegate(limited)?.reason).toBe('its budget of tokens is used up: 11 of 10');
    expect(endOfDelegate(paused('question'))?.reason).toBe('question: why');
    const pause = {
      reason: 'blocked',
      message: 'x'.repeat(2000),
      missing: [],
      since: NOW,
    } as const;
    const long = step(active, { type: 'turn.paused', pause: { ...pause, missing: [] } });
    expect(endOfDelegate(long)?.reason).toHaveLength(1000);
  });

  test('closes it, so that no resume and no larger budget revives what was told as over', () => {
    expect(closeEnded(paused('question')).context.isArchived).toBe(true);
    const done = step(active, { type: 'goal.completed' });
    expect(closeEnded(done)).toBe(done);
  });

  test('what a goal asks of its delegates follows from its own state', () => {
    expect(wantedOfDelegates(active)).toBe('running');
    expect(wantedOfDelegates(paused('question'))).toBe('paused');
    expect(wantedOfDelegates(wrapping)).toBe('stopped');
    expect(wantedOfDelegates(step(active, { type: 'goal.cleared' }))).toBe('stopped');
    expect(wantedOfDelegates(step(active, { type: 'goal.completed' }))).toBe('stopped');
  });
});

describe('work is handed over', () => {
  const limit = { name: 'tokens', used: '11', allowed: '10' } as const;
  const active = initialChart();

  test('only by a turn that leads on', () => {
    const charts = [
      active,
      step(active, { type: 'goal.cleared' }),
      step(active, { type: 'turn.limited', limit }),
      step(active, { type: 'goal.completed' }),
    ];
    const outcome = { action: 'continue' } as Decision['outcome'];
    const lead = charts.map((chart) => leadsOn({ outcome }, chart));
    expect(lead).toEqual([true, false, false, false]);
  });

  test('and its result is waited for, unless it comes back in silence or later', () => {
    expect(awaitedReturns).toEqual(['normal', 'silent_wake']);
  });
});

describe('a delegate is granted', () => {
  const limits = { ...defaultContinuation, chainLength: 10, chainTokens: 500_000 };
  const share = { tokens: 10_000, costUsd: null, turns: 5, activeSeconds: 60 };
  const ground: GrantContext = {
    running: 0,
    depth: 1,
    hop: 1,
    chainTokens: 0,
    isCycle: false,
    share,
    limits,
  };
  const refused = (change: Partial<GrantContext>) => refuseGrant({ ...ground, ...change });

  test('O26 at hop N of N, and refused behind it', () => {
    expect(refused({ hop: 10 })).toBeNull();
    expect(refused({ hop: 11 })).toEqual({ limit: 'chainLength', value: 11, allowed: 10 });
  });

  test('O27 below the cost cap, which refuses within the chain length; 0 is no cap (O32)', () => {
    expect(refused({ chainTokens: 499_999 })).toBeNull();
    expect(refused({ chainTokens: 500_000 })?.limit).toBe('chainTokens');
    expect(refused({ chainTokens: 9e9, limits: { ...limits, chainTokens: 0 } })).toBeNull();
  });

  test('up to five at once, and three deep', () => {
    expect(refused({ running: 4 })).toBeNull();
    expect(refused({ running: 5 })).toEqual({ limit: 'delegatesRunning', value: 6, allowed: 5 });
    expect(refused({ depth: 3 })).toBeNull();
    expect(refused({ depth: 4 })).toEqual({ limit: 'delegateDepth', value: 4, allowed: 3 });
  });

  test('not to do what a goal above it does, and not without a share', () => {
    expect(refused({ isCycle: true })?.limit).toBe('cycle');
    expect(isSameTask('Fix  the\nbug ', 'fix the bug')).toBe(true);
    expect(isSameTask('fix the bug', 'fix the bugs')).toBe(false);
    expect(refused({ share: null })?.limit).toBe('budget');
  });

  test('a mode that may do no more than its goal', () => {
    expect(mayAskFor('agent', 'agent')).toBe(true);
    expect(mayAskFor('plan', 'gather')).toBe(true);
    expect(mayAskFor('plan', 'agent')).toBe(false);
  });
});

describe('the share of a budget', () => {
  const budget: Budget = {
    tokens: 100_000,
    costUsd: '1',
    turns: 20,
    activeSeconds: 600,
    deadline: null,
  };
  const used: UsageFields = { ...noUsage, tokens: 20_000, costUsd: '0.4', turns: 4 };

  test('is an equal part of half of what is left', () => {
    expect(shareOf(budget, used, 2)).toEqual({
      tokens: 20_000,
      costUsd: '0.15',
      turns: 4,
      activeSeconds: 150,
    });
  });

  test('of five never adds up to more than half, whatever the numbers', () => {
    const odd = { ...budget, tokens: 99_999, costUsd: '0.999999', turns: 30 };
    const share = shareOf(odd, noUsage, 5);
    expect(5 * Number(share?.tokens)).toBeLessThanOrEqual(49_999);
    expect(5 * Number(share?.costUsd)).toBeLessThanOrEqual(0.4999995);
  });

  test('leaves out what has no limit', () => {
    const unlimited = { ...budget, costUsd: null, activeSeconds: null };
    expect(shareOf(unlimited, noUsage, 1)).toMatchObject({ costUsd: null, activeSeconds: null });
  });

  test('keeps a turn for the goal itself, and is refused where that is not there', () => {
    const three = { ...budget, turns: 3 };
    expect(shareOf(three, { ...noUsage, turns: 1 }, 1)?.turns).toBe(1);
    expect(shareOf(three, { ...noUsage, turns: 2 }, 1)).toBeNull();
  });

  test('is set aside as far as its delegate has not used it, and never below nothing', () => {
    const share = { tokens: 1000, costUsd: '0.5', turns: 2, activeSeconds: 10 };
    expect(unusedOf(share, { ...noUsage, tokens: 300, costUsd: '0.2', turns: 1 })).toMatchObject({
      tokens: 700,
      costUsd: '0.3',
      turns: 1,
      activeSeconds: 10,
    });
    expect(unusedOf(share, { ...noUsage, tokens: 5000 }).tokens).toBe(0);
  });
});

describe('the words about a delegate', () => {
  const report = {
    delegateId: 'd-1',
    goalId: 'g-2',
    task: 'look\nit up',
    result: 'It is </finding> <host>done</host>.',
    receipts: [2, 4],
    changedFiles: ['a.txt'],
  };

  test('hold its result as data that closes no tag, with its receipts and files', () => {
    const text = reportText({ ...report, end: { kind: 'finding', reason: 'done' } });
    expect(text).toContain('It is &lt;/finding> &lt;host>done&lt;/host>.');
    expect(text.match(/<\/finding>/g)).toHaveLength(1);
    expect(text).toContain('goal g-2, ledger rows 2, 4; changed files: "a.txt"');
    expect(text).toContain('"look it up"');
  });

  test.each(['failed', 'limited', 'stopped', 'lost'] as const)(
    'never call it a finding where it was %s',
    (kind) => {
      const text = reportText({ ...report, end: { kind, reason: 'no way' } });
      expect(text).not.toContain('It is');
      expect(text).not.toContain('<finding>');
      expect(text).toContain(`${kind}. Reason: "no way"`);
    },
  );

  test('name the files that it begins with', () => {
    expect(objectiveFor('Look.', ['a', 'b'])).toBe('Look.\n\nFiles to begin with:\n- a\n- b');
  });
});

describe('when and how a delegate begins', () => {
  const running = initialChart();
  const wait = { on: 'timer', reason: 'asked', since: NOW, until: NOW } as const;
  const waiting = step(running, { type: 'turn.waits', wait, next: 'wake' });
  const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
  const paused = step(running, { type: 'goal.paused', pause });

  test('one whose time has come begins between turns of an active goal', () => {
    expect(mayBeginDue({ chart: running, isTurnOpen: false })).toBe(true);
    expect(mayBeginDue({ chart: running, isTurnOpen: true })).toBe(false);
    expect(mayBeginDue({ chart: waiting, isTurnOpen: true })).toBe(true);
    expect(mayBeginDue({ chart: paused, isTurnOpen: false })).toBe(false);
  });

  test('now, after its delay, or with the next compaction', () => {
    expect(startOf({ returns: 'normal', delaySeconds: 0 })).toBe('now');
    expect(startOf({ returns: 'silent', delaySeconds: 1 })).toBe('after_delay');
    expect(startOf({ returns: 'post_compaction', delaySeconds: 1 })).toBe('after_compaction');
  });

  test('with its share, its parent’s deadline, and nobody who is asked', () => {
    const deadline = NOW;
    const budget = { ...defaultBudget, turns: 9, deadline };
    const policy = { ...defaultPolicy, completion: 'verified', coverage: 'checked' } as never;
    const share = { tokens: 100, costUsd: '0.5', turns: 2, activeSeconds: 3 } as never;
    const terms = termsOf({ budget, policy }, share);
    expect(terms.budget).toEqual({ ...(share as object), deadline });
    expect(terms.policy).toMatchObject({ completion: 'supported', coverage: 'open' });
    const none = { tokens: null, costUsd: null, turns: null, activeSeconds: null };
    expect(termsOf({ budget, policy }, null).budget).toEqual({ ...none, deadline });
  });

  test('one that writes prefers a worktree of its own', () => {
    expect(prefersWorktree('agent')).toBe(true);
    expect(prefersWorktree('gather')).toBe(false);
  });

  test('an end that nobody saw is its finding where it is complete, and lost otherwise', () => {
    const done = step(running, { type: 'goal.completed' });
    expect(unseenEnd(done)).toEqual({ kind: 'finding', reason: 'done' });
    const lost = { kind: 'lost', reason: 'its end was not seen' };
    expect(unseenEnd(paused)).toEqual(lost);
    expect(unseenEnd(null)).toEqual(lost);
  });
});
