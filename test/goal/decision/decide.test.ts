import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Counters, Decision } from '../../../src/contract/decision.ts';
import type { Evidence } from '../../../src/contract/evidence.ts';
import type { SliceEnd, TurnFacts } from '../../../src/contract/turn-facts.ts';
import {
  countRefusal,
  initialCounters,
  resetStreaks,
} from '../../../src/goal/decision/counters.ts';
import { decide, needsEvidence } from '../../../src/goal/decision/decide.ts';
import { defaultPolicy } from '../../../src/goal/defaults.ts';
import { readSignals } from '../../../src/reply/phrases.ts';
import {
  claimFacts,
  makeCriterion,
  makeEvidence,
  makeFacts,
  makeInput,
  settle,
} from '../turn-facts.ts';

const guard = makeCriterion({ criterionId: 'g1', baseline: 'met' });
const spent = { tokens: 25, costUsd: null, turns: null, activeSeconds: null, deadline: null };
const used35 = { ...makeInput().usage, tokens: 35 };
const pauseOf = ({ outcome }: Decision) => (outcome.action === 'pause' ? outcome.reason : null);

/** Settles the same kind of turn again and again until it does not go on. */
function settleUntilStop(turns: (index: number) => { facts: TurnFacts; evidence?: Evidence }) {
  let counters: Counters = initialCounters;
  for (let index = 0; index < 30; index += 1) {
    const { facts, evidence = null } = turns(index);
    const decision = settle({ facts, evidence, counters });
    counters = decision.counters;
    if (!['continue', 'nudge', 'refuse'].includes(decision.outcome.action)) {
      return { turns: index + 1, decision };
    }
  }
  throw new Error('it never stopped');
}

describe('rules 1 to 3', () => {
  it('lets a person who was faster win over a proven claim (C14, F15)', () => {
    const evidence = makeEvidence();
    const paused = settle({ status: 'paused', facts: claimFacts(), evidence });
    expect(paused).toMatchObject({ rule: 'interrupted', outcome: { action: 'hold' } });
    const cut = settle({ facts: makeFacts({ end: 'interrupted' }) });
    expect(cut).toMatchObject({
      rule: 'interrupted',
      outcome: { action: 'hold' },
      counters: initialCounters,
    });
  });

  it.each([
    ['protocol_error', 'broken_turn', 'protocol_error'],
    ['provider_error', 'broken_turn', 'provider_error'],
    ['tool_error_cap', 'broken_turn', 'tool_error_cap'],
    ['lifecycle_breaker', 'broken_turn', 'lifecycle_breaker'],
    ['record_altered', 'broken_turn', 'record_altered'],
    ['question', 'ask', 'question'],
    ['blocker', 'ask', 'blocked'],
    ['unknown_effect', 'ask', 'question'],
    ['repetition', 'no_progress', 'no_progress'],
  ] as const)(
    'pauses after %s by the rule %s as %s with its detail (C12, C16, M22, M28, R36)',
    (end, rule, reason) => {
      const decision = settle({ facts: makeFacts({ end, toolCalls: 1, detail: 'the detail' }) });
      const outcome = { action: 'pause', reason, message: 'the detail' };
      expect(decision).toMatchObject({ rule, outcome });
    },
  );

  it('shows the provider’s own words (M25)', () => {
    const provider = {
      kind: 'auth',
      isRetryable: false,
      retryAfterSeconds: null,
      message: 'bad key',
    } as const;
    const decision = settle({ facts: makeFacts({ end: 'provider_error', provider, detail: 'x' }) });
    expect(decision.outcome).toMatchObject({ reason: 'provider_error', message: 'bad key' });
  });

  it('records announced calls that never came as a protocol error although they score 75 (F2)', () => {
    const facts = makeFacts({
      finishReason: 'tool_calls',
      followsToolResult: true,
      toolRatio: 0.8,
    });
    expect(settle({ facts })).toMatchObject({ rule: 'broken_turn', score: { total: 75 } });
  });

  it('takes a call that the budget cut off for a used-up budget', () => {
    const limit = { name: 'tokens', used: '990', allowed: '1000' } as const;
    const decision = settle({ facts: makeFacts({ end: 'protocol_error', limit }) });
    expect(decision).toMatchObject({ rule: 'limit', outcome: { action: 'limit', limit } });
  });
});

describe('rule 4: claims', () => {
  it('asks for evidence only where the cheap checks hold', () => {
    expect(needsEvidence(makeInput({ facts: claimFacts() }))).toBe(true);
    expect(needsEvidence(makeInput({ facts: claimFacts({ openTodos: ['t1'] }) }))).toBe(false);
    expect(needsEvidence(makeInput({ facts: claimFacts({ failedTargets: ['a.ts'] }) }))).toBe(
      false,
    );
    expect(needsEvidence(makeInput({ facts: claimFacts({ unread: 1 }) }))).toBe(false);
    expect(needsEvidence(makeInput({ facts: makeFacts({ toolCalls: 1 }) }))).toBe(false);
  });

  it('completes a verified claim (C6)', () => {
    const decision = settle({ facts: claimFacts(), evidence: makeEvidence() });
    const outcome = { action: 'complete', source: 'explicit', verification: 'verified' };
    expect(decision).toMatchObject({ rule: 'claim', outcome, missing: [], receipts: [7] });
  });

  it('pauses a claim that only guards support unless the policy takes it (R43)', () => {
    const input = { facts: claimFacts(), evidence: makeEvidence([guard]) };
    expect(pauseOf(settle(input))).toBe('unverified_claim');
    const policy = { ...defaultPolicy, completion: 'supported' } as const;
    expect(settle({ ...input, policy }).outcome).toMatchObject({ verification: 'supported' });
  });

  it('hands a claim to a person where nothing at all can prove it (R41)', () => {
    const policy = { ...defaultPolicy, completion: 'supported' } as const;
    const decision = settle({ facts: claimFacts(), evidence: makeEvidence([]), policy });
    expect(pauseOf(decision)).toBe('unverified_claim');
  });

  it('hands a claim with a changed basis to a person, naming it, whatever the policy', () => {
    const policy = { ...defaultPolicy, completion: 'supported' } as const;
    const evidence = makeEvidence([makeCriterion()], ['package.json#test']);
    const decision = settle({ facts: claimFacts(), evidence, policy });
    expect(pauseOf(decision)).toBe('unverified_claim');
    expect(JSON.stringify(decision.outcome)).toContain('package.json#test');
  });

  it('refuses open todos and failed targets by name and says what to call (C4, C5, R29, R32)', () => {
    const facts = claimFacts({ openTodos: ['t2'], failedTargets: ['a.ts'] });
    const decision = settle({ facts });
    expect(decision.outcome).toEqual({ action: 'refuse', next: 'nudge' });
    expect(decision.missing).toEqual(['t2', 'target:a.ts']);
    expect(decision.reasons.t2).toContain('complete_step');
    expect(decision.reasons['target:a.ts']).toContain('edit_file');
  });

  it.each(['unmet', 'stale', 'narrowed'] as const)(
    'refuses a criterion that is %s (R39)',
    (state) => {
      const decision = settle({
        facts: claimFacts(),
        evidence: makeEvidence([makeCriterion({ state })]),
      });
      expect(decision).toMatchObject({ outcome: { action: 'refuse' }, missing: ['c1'] });
      expect(decision.reasons.c1).toContain(state);
    },
  );

  it('refuses a claim in gather mode and caps one in plan mode (C3)', () => {
    const evidence = makeEvidence();
    const gather = settle({ facts: claimFacts({ mode: 'gather' }), evidence });
    expect(gather.outcome.action).toBe('refuse');
    expect(gather.reasons.mode).toContain('gather');
    const plan = settle({ facts: claimFacts({ mode: 'plan' }), evidence });
    expect(pauseOf(plan)).toBe('unverified_claim');
  });

  it('lets an unread message come before a claim', () => {
    const decision = settle({ facts: claimFacts({ unread: 1 }), evidence: makeEvidence() });
    expect(decision.outcome).toEqual({ action: 'continue', next: 'message' });
    expect(decision.counters.refusalsInRow).toBe(0);
  });

  it('stops after three refusals with the same missing set (R34, R40)', () => {
    const stop = settleUntilStop(() => ({ facts: claimFacts({ openTodos: ['b', 'a'] }) }));
    expect(stop.turns).toBe(3);
    expect(pauseOf(stop.decision)).toBe('gate_exhausted');
    expect(stop.decision.missing).toEqual(['b', 'a']);
  });

  it('stops after six refusals whose missing sets change without a new best (R34)', () => {
    const stop = settleUntilStop((index) => ({ facts: claimFacts({ openTodos: [`x${index}`] }) }));
    expect(stop.turns).toBe(6);
  });

  it('counts again only below the best so far, never by breaking and repairing', () => {
    const sets = [['a', 'b'], ['a'], ['a', 'b'], ['a'], ['a', 'b'], ['a'], ['a', 'b']];
    const stop = settleUntilStop((index) => ({
      facts: claimFacts({ openTodos: sets[index] ?? [] }),
    }));
    expect(stop.turns).toBe(7);
  });

  it('never lets more than six refusals pass without a smaller set (property)', () => {
    const sets = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(sets, (missing) => {
        let counters: Counters = initialCounters;
        let best = Number.POSITIVE_INFINITY;
        let since = 0;
        for (const set of missing) {
          counters = countRefusal(counters, set);
          since = set.length < best ? 1 : since + 1;
          best = Math.min(best, set.length);
          expect(counters.refusalsWithoutBest).toBe(since);
          expect(counters.bestMissing).toBe(best);
        }
      }),
    );
  });

  it('refuses for the last time when the budget is used up, and stops at the limit', () => {
    const decision = settle({
      facts: claimFacts({ openTodos: ['t1'] }),
      budget: spent,
      usage: used35,
    });
    expect(decision).toMatchObject({
      rule: 'limit',
      outcome: { action: 'limit' },
      missing: ['t1'],
    });
  });
});

describe('rule 5: yields', () => {
  it('completes a tool-free, host-driven yield at verified only (M19)', () => {
    expect(settle({ evidence: makeEvidence() })).toMatchObject({
      rule: 'yield',
      outcome: { action: 'complete', source: 'implicit', verification: 'verified' },
    });
  });

  it.each([
    ['guards only (R43)', { evidence: makeEvidence([guard]) }],
    ['a wrap-up', { facts: makeFacts({ kind: 'wrap_up' }), evidence: makeEvidence() }],
    ['an answer to a person', { facts: makeFacts({ kind: 'message' }), evidence: makeEvidence() }],
    ['a turn after an answer', { facts: makeFacts({ kind: 'answer' }), evidence: makeEvidence() }],
    [
      'a truncated reply',
      { facts: makeFacts({ finishReason: 'length' }), evidence: makeEvidence() },
    ],
    ['a turn with tools', { facts: makeFacts({ toolCalls: 2 }), evidence: makeEvidence() }],
    ['an unread message', { facts: makeFacts({ unread: 1 }), evidence: makeEvidence() }],
    ['plan mode', { facts: makeFacts({ mode: 'plan' }), evidence: makeEvidence() }],
    ['a changed basis', { evidence: makeEvidence([makeCriterion()], ['test/a.test.ts']) }],
  ] as const)('does not complete by %s (M19)', (_, change) => {
    expect(settle(change).outcome.action).not.toBe('complete');
  });

  it('answers a person once and then pauses, with or without tools (M20)', () => {
    for (const toolCalls of [0, 3]) {
      const decision = settle({ facts: makeFacts({ kind: 'message', toolCalls }) });
      expect(decision).toMatchObject({ rule: 'message_answered', outcome: { reason: 'message' } });
    }
  });

  it('sends words of completion without a finish reason to the gate (F11)', () => {
    const facts = makeFacts({ finishReason: 'absent', signals: readSignals('The bug is fixed.') });
    expect(needsEvidence(makeInput({ facts }))).toBe(true);
  });
});

describe('rule 6: budget', () => {
  it('limits at or above what is allowed (M7, M9)', () => {
    const facts = makeFacts({ toolCalls: 1 });
    const decision = settle({ facts, budget: spent, usage: used35 });
    const limit = { name: 'tokens', used: '35', allowed: '25' };
    expect(decision).toMatchObject({ rule: 'limit', outcome: { action: 'limit', limit } });
  });

  it('holds after a wrap-up, however it ended (M15)', () => {
    for (const end of [
      'yield',
      'protocol_error',
      'provider_error',
      'question',
      'budget',
    ] as const) {
      const facts = makeFacts({ kind: 'wrap_up', end });
      const decision = settle({ status: 'budget_limited', facts, budget: spent, usage: used35 });
      expect(decision).toMatchObject({ rule: 'wrap_up', outcome: { action: 'hold' } });
    }
  });
});

describe('rules 8 to 11', () => {
  it('never continues past a question to the person, although it scores 70 (F10)', () => {
    const signals = { ...readSignals('Should I proceed with the deletion?'), hasIntent: true };
    const facts = makeFacts({ signals, toolCalls: 1, followsToolResult: true, toolRatio: 0.8 });
    expect(settle({ facts })).toMatchObject({
      rule: 'waiting_words',
      outcome: { reason: 'question' },
      score: { total: 70 },
    });
  });

  it('resumes a truncated turn, the third without a receipt pauses (C13)', () => {
    const stop = settleUntilStop(() => ({
      facts: makeFacts({ finishReason: 'length', toolCalls: 1 }),
    }));
    expect(stop.turns).toBe(3);
    expect(pauseOf(stop.decision)).toBe('no_progress');
    const first = settle({ facts: makeFacts({ end: 'turn_cap', toolCalls: 200, receipts: 200 }) });
    expect(first.outcome).toEqual({ action: 'continue', next: 'resume' });
  });

  it('stops truncated turns with receipts after ten without progress', () => {
    const facts = makeFacts({ end: 'turn_cap', toolCalls: 200, receipts: 200 });
    expect(settleUntilStop(() => ({ facts })).turns).toBe(10);
  });

  it('pauses when the provider refused the content', () => {
    const decision = settle({ facts: makeFacts({ finishReason: 'content_filter' }) });
    expect(decision.outcome).toMatchObject({
      reason: 'provider_error',
      message: 'content refused',
    });
  });

  it('pauses after three tool-free turns (C9, M27)', () => {
    const stop = settleUntilStop(() => ({ facts: makeFacts(), evidence: makeEvidence([guard]) }));
    expect(stop.turns).toBe(3);
    expect(pauseOf(stop.decision)).toBe('no_progress');
  });

  it('starts the tool-free streak again after a turn with tools (C10)', () => {
    const withTools = (index: number) => index === 2;
    const stop = settleUntilStop((index) => ({
      facts: makeFacts({ toolCalls: withTools(index) ? 1 : 0 }),
      evidence: makeEvidence([guard]),
    }));
    expect(stop.turns).toBe(6);
  });

  it('pauses after ten turns of reads without a newly met item (R35)', () => {
    const facts = makeFacts({ toolCalls: 4, receipts: 4 });
    expect(settleUntilStop(() => ({ facts })).turns).toBe(10);
  });

  it('takes a finished todo item for progress also after a gate that found criteria met', () => {
    const counters = settle({
      evidence: makeEvidence([
        makeCriterion(),
        makeCriterion({ criterionId: 'c2', state: 'unmet' }),
      ]),
    }).counters;
    const next = settle({
      counters,
      facts: makeFacts({ toolCalls: 1, doneTodos: 1, hasTodos: true }),
    });
    expect(next.counters).toMatchObject({ bestMet: 2, turnsWithoutProgress: 0 });
  });

  it('says "go on" three times without a receipt, then names what is missing (F13)', () => {
    const facts = makeFacts({
      toolCalls: 1,
      openTodos: ['t1'],
      followsToolResult: true,
      toolRatio: 0.75,
      signals: readSignals('Now I need to look at the parser.'),
    });
    let counters: Counters = initialCounters;
    const actions = Array.from({ length: 5 }, () => {
      const decision = settle({ facts, counters });
      counters = decision.counters;
      return decision.outcome.action;
    });
    expect(actions).toEqual(['continue', 'continue', 'continue', 'nudge', 'nudge']);
    const fresh = settle({ facts: { ...facts, receipts: 1 }, counters });
    expect(fresh.outcome.action).toBe('continue');
  });

  it('warns at 40 to 59 and names what is missing (F9)', () => {
    const facts = makeFacts({
      toolCalls: 1,
      openTodos: ['t1'],
      followsToolResult: true,
      toolRatio: 0.6,
    });
    const decision = settle({ facts });
    expect(decision).toMatchObject({
      rule: 'nudge',
      isWarning: true,
      missing: ['t1'],
      score: { total: 45 },
    });
  });

  it('pauses as a question where nudges are off (F26)', () => {
    const continuation = { ...defaultPolicy.continuation, enabled: false };
    const decision = settle({
      facts: makeFacts({ toolCalls: 1 }),
      policy: { ...defaultPolicy, continuation },
    });
    expect(decision).toMatchObject({ rule: 'nudge', outcome: { reason: 'question' } });
  });

  it('turns every way on into a message turn where something is unread', () => {
    const facts = makeFacts({ unread: 1, toolCalls: 1 });
    expect(settle({ facts }).outcome).toEqual({ action: 'continue', next: 'message' });
    const gather = settle({ facts: claimFacts({ mode: 'gather', unread: 1 }) });
    expect(gather.outcome).toEqual({ action: 'refuse', next: 'message' });
    const message = settle({ facts: makeFacts({ kind: 'message', unread: 1 }) });
    expect(message.outcome).toEqual({ action: 'continue', next: 'message' });
  });
});

it('no words complete a goal: without evidence nothing is ever complete (C1, property)', () => {
  const ends: SliceEnd[] = ['yield', 'claim', 'turn_cap', 'question', 'budget', 'repetition'];
  const text = fc.constantFrom(
    'Here is the result.',
    'Found it. The answer is 4.',
    'DONE',
    'All done!',
    '',
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...ends), fc.nat(3), (words, end, toolCalls) => {
      const facts = makeFacts({ end, toolCalls, signals: readSignals(words) });
      expect(decide(makeInput({ facts })).outcome.action).not.toBe('complete');
    }),
  );
});

it('a person’s resume zeroes every streak and no best', () => {
  const counters: Counters = {
    refusalsInRow: 2,
    refusalsWithoutBest: 5,
    lastMissing: ['a'],
    bestMissing: 1,
    toolFreeTurns: 2,
    turnsWithoutProgress: 9,
    bestMet: 4,
    metCriteria: 3,
    truncatedTurns: 2,
    continuationsWithoutReceipt: 3,
  };
  expect(resetStreaks(counters)).toEqual({
    ...initialCounters,
    bestMissing: 1,
    bestMet: 4,
    metCriteria: 3,
  });
});
