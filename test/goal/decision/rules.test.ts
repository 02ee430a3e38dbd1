import { describe, expect, test } from 'vitest';
import type { DecisionInput } from '../../../src/contract/decision.ts';
import type { LimitReached, TurnFacts, TurnKind } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { needsEvidence } from '../../../src/goal/decision/decide.ts';
import { nudgeTone, scoreTurn } from '../../../src/goal/decision/score.ts';
import { defaultContinuation, defaultPolicy } from '../../../src/goal/defaults.ts';
import { namedDecision } from '../../../src/record/decision/rule-names.ts';
import { readSignals } from '../../../src/reply/phrases.ts';
import {
  claimFacts,
  makeCriterion,
  makeEvidence,
  makeFacts,
  makeInput,
  settle,
} from '../turn-facts.ts';

const said = (change: Partial<TurnFacts>, more: Partial<DecisionInput> = {}): string =>
  settle({ facts: makeFacts({ toolCalls: 1, ...change }), ...more }).sentence;
const election = { callId: 'c', on: 'timer', seconds: null, until: null, generation: 0 } as const;
const asks = readSignals('Should I proceed with the deletion?');
const waits = readSignals("I'm waiting for your approval.");
const eager = {
  signals: readSignals('Now I need to look at the files.'),
  followsToolResult: true,
  toolRatio: 0.75,
};

describe('a person reads why', () => {
  test.each<[Partial<TurnFacts>, string]>([
    [{ end: 'approval', detail: 'run_command x' }, 'A person has to approve: run_command x.'],
    [{ end: 'approval' }, 'A person has to approve: a call.'],
    [{ end: 'unknown_effect' }, 'Paused: The end of a call was not seen.'],
    [{ end: 'lost_calls' }, 'The provider failed: Its workers died during one model call.'],
    [{ end: 'lost_calls', detail: 'lost' }, 'The provider failed: lost.'],
    [{ kind: 'message' }, 'Paused: The message was answered; resume to go on.'],
    [{ kind: 'message', end: 'turn_cap' }, 'Paused: The message was answered; resume to go on.'],
    [{ kind: 'message', end: 'slice_cap' }, 'The turn was cut off and goes on.'],
    [{ kind: 'message', finishReason: 'content_filter' }, 'Paused: content refused.'],
    [{ signals: asks }, 'Paused: The last reply waits for a person.'],
    [{ signals: waits }, 'Paused: The last reply waits for a person.'],
    [{ signals: asks, detail: 'Shall I?' }, 'Paused: Shall I?'],
    [{ signals: asks, end: 'repetition' }, 'Paused: The same call gave the same result again.'],
    [{ delegates: { unread: 0, waking: 0, awaited: 1 } }, 'Waits for 1 delegate.'],
    [{ delegates: { unread: 0, waking: 0, awaited: 2 } }, 'Waits for 2 delegates.'],
    [{ end: 'election', election }, 'Waits 15 s: the model asked for it.'],
    [
      { end: 'election', election: { ...election, seconds: 400 } },
      'Waits 300 s (asked for 400 s; the bounds are 5–300 s): the model asked for it.',
    ],
    [
      { end: 'election', election: { ...election, on: 'condition', seconds: 60 }, detail: 'CI' },
      'Waits at most 60 s: CI.',
    ],
  ])('of %o', (change, sentence) => {
    expect(said(change)).toBe(sentence);
  });

  test('of turns that were cut off again and again, and of nudges that are off', () => {
    const counters = { ...initialCounters, truncatedTurns: 2 };
    expect(said({ finishReason: 'length' }, { counters })).toBe(
      'Paused: 3 turns in a row were cut off without a receipt.',
    );
    const continuation = { ...defaultContinuation, enabled: false };
    expect(said({}, { policy: { ...defaultPolicy, continuation } })).toBe(
      'Paused: The model yielded and nudges are turned off.',
    );
  });

  test('of a claim that only they can accept, by name', () => {
    const asked = makeCriterion({ criterionId: 'c2', state: 'unmet', person: 'needed' });
    const facts = claimFacts({ manualTodos: ['T1'], hasTodos: true });
    const { sentence } = settle({ facts, evidence: makeEvidence([makeCriterion(), asked]) });
    expect(sentence).toBe('Everything else holds; a person has to decide: T1, c2.');
  });
});

describe('a person is asked', () => {
  test('M22 about a call whose end was not seen', () => {
    const { asks } = settle({ facts: makeFacts({ end: 'unknown_effect' }) });
    expect(asks).toEqual([{ kind: 'unknown_effect' }]);
  });

  test('without a clock, unless the policy has one', () => {
    const { outcome } = settle({ facts: makeFacts({ end: 'question' }) });
    expect(outcome).not.toHaveProperty('seconds');
  });

  const asked = makeCriterion({ criterionId: 'c2', state: 'unmet', person: 'needed' });
  const evidence = makeEvidence([makeCriterion(), asked]);

  test('for the first time however often claims were refused before, and that counts nothing', () => {
    const counters = { ...initialCounters, refusalsInRow: 3, refusalsWithoutBest: 6 };
    const decision = settle({ facts: claimFacts(), evidence, counters });
    expect(decision.outcome).toMatchObject({ action: 'wait', on: 'approval' });
    expect(decision.counters).toMatchObject({ refusalsInRow: 3, refusalsWithoutBest: 6 });
  });

  test('also about the claim of a delegate, where its goal says so', () => {
    const { outcome } = settle({ facts: claimFacts(), evidence, isDelegate: true });
    expect(outcome).toMatchObject({ action: 'wait', on: 'approval' });
  });
});

describe('evidence is gathered', () => {
  const isGathered = (change: Partial<DecisionInput>): boolean => needsEvidence(makeInput(change));

  test.each<[TurnKind, boolean]>([
    ['start', true],
    ['nudge', true],
    ['wake', true],
    ['resume', true],
    ['message', false],
    ['answer', false],
    ['wrap_up', false],
  ])('M19 for a yield of a turn of the kind %s: %s', (kind, expected) => {
    expect(isGathered({ facts: makeFacts({ kind }) })).toBe(expected);
    const { outcome } = settle({ facts: makeFacts({ kind }), evidence: makeEvidence() });
    expect(outcome.action === 'complete').toBe(expected);
  });

  test.each<[string, Partial<DecisionInput>]>([
    ['a claim that nobody waits for any more', { status: 'paused', facts: claimFacts() }],
    ['a claim in gather mode', { facts: claimFacts({ mode: 'gather' }) }],
    ['a yield in plan mode', { facts: makeFacts({ mode: 'plan' }) }],
    ['a yield that says nothing of an end', { facts: makeFacts({ finishReason: 'absent' }) }],
    [
      'words of completion that were cut off',
      {
        facts: makeFacts({ finishReason: 'length', signals: readSignals('All tests pass.') }),
      },
    ],
  ])('not for %s', (_, change) => {
    expect(isGathered(change)).toBe(false);
  });
});

describe('a delegate that announces more work', () => {
  const turn = (change: Partial<TurnFacts> = {}, more: Partial<DecisionInput> = {}) =>
    settle({
      facts: makeFacts({ mode: 'gather', toolCalls: 1, ...eager, ...change }),
      isDelegate: true,
      ...more,
    });

  test('is let go on, a few times', () => {
    expect(turn().outcome).toEqual({ action: 'continue', next: 'nudge' });
    const counters = { ...initialCounters, continuationsWithoutReceipt: 3 };
    expect(turn({}, { counters })).toMatchObject({ rule: 'finding' });
  });

  test('has found something where it stops, also by a provider that says no reason', () => {
    const signals = readSignals('Here it is.');
    for (const finishReason of ['stop', 'absent'] as const)
      expect(turn({ signals, finishReason, followsToolResult: false }).rule).toBe('finding');
  });
});

describe('the score', () => {
  const limits = defaultContinuation;
  const toneAt = (total: number) => {
    const score = { ...scoreTurn(makeFacts()), total };
    return nudgeTone(score, readSignals('Let me look.'), limits);
  };

  test('F9 goes on at exactly 60, warns at exactly 40, and below names what is missing', () => {
    expect([39, 40, 59, 60, 61].map(toneAt)).toEqual([
      'name_missing',
      'warning',
      'warning',
      'go_on',
      'go_on',
    ]);
  });

  test('F9 of exactly 60 leads on without a warning', () => {
    const facts = makeFacts({
      toolCalls: 1,
      followsToolResult: true,
      signals: readSignals('Let me look at the parser.'),
    });
    const decision = settle({ facts });
    expect(decision).toMatchObject({ score: { total: 60 }, isWarning: false });
    expect(decision.outcome).toEqual({ action: 'continue', next: 'nudge' });
    expect(decision).not.toHaveProperty('election');
  });

  test('of nothing at all names what is missing, and warns of nothing', () => {
    expect(settle({ facts: makeFacts({ toolCalls: 1 }) })).toMatchObject({
      outcome: { action: 'nudge' },
      isWarning: false,
    });
  });
});

describe('the limit at which a turn ends', () => {
  const budget = { ...makeInput().budget, tokens: 1000 };
  const early: LimitReached = { name: 'tokens', used: '900 (the next call)', allowed: '1000' };
  const cut = (limit: LimitReached | null, change: Partial<DecisionInput> = {}) =>
    settle({
      facts: makeFacts({ end: 'budget', toolCalls: 1, limit }),
      budget,
      usage: { ...noUsage, tokens: 900 },
      ...change,
    }).outcome;

  test('M7 is the one that the slice met, also where usage is below it', () => {
    expect(cut(early)).toEqual({ action: 'limit', limit: early });
  });

  test('M9 is none where a person raised it meanwhile', () => {
    expect(cut(early, { budget: { ...budget, tokens: 2000 } })).toEqual({
      action: 'continue',
      next: 'resume',
    });
  });

  test('is another one that was reached meanwhile', () => {
    const usage = { ...noUsage, tokens: 900, turns: 100 };
    expect(cut(null, { usage })).toMatchObject({ action: 'limit', limit: { name: 'turns' } });
  });

  test('M7 is the tokens where the next call could not be paid and no limit is named', () => {
    const limit = { name: 'tokens', used: '900', allowed: '1000' };
    expect(cut(null)).toEqual({ action: 'limit', limit });
    expect(cut(null, { budget: { ...budget, tokens: null } })).toEqual({
      action: 'limit',
      limit: { ...limit, allowed: '900' },
    });
  });
});

describe('a decision that an older workflow sent by number', () => {
  const decision = settle({ facts: makeFacts({ toolCalls: 1 }) });
  const sent = (rule: 5 | 7 | 9, outcome: typeof decision.outcome) =>
    namedDecision({ ...decision, rule, outcome }).rule;

  test('has the name of the rule that leads there', () => {
    const complete = { action: 'complete', source: 'implicit' } as const;
    expect(sent(5, { ...complete, verification: 'verified' })).toBe('yield');
    expect(sent(5, { ...complete, verification: 'supported' })).toBe('finding');
    expect(sent(7, { action: 'continue', next: 'wake' })).toBe('delegates');
    const pause = { action: 'pause', message: '' } as const;
    expect(sent(9, { ...pause, reason: 'no_progress' })).toBe('truncated');
    expect(sent(9, { ...pause, reason: 'provider_error' })).toBe('content_refused');
  });

  test('is itself where it has its name already', () => {
    expect(namedDecision(decision)).toBe(decision);
  });
});
