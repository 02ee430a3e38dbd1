import { describe, expect, test } from 'vitest';
import type { Decision, DecisionInput, Outcome } from '../../../src/contract/decision.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { Fallback, GoalState } from '../../../src/contract/goal-state.ts';
import type { TurnFacts } from '../../../src/contract/turn-facts.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { decisionInput } from '../../../src/goal/decision/decision-input.ts';
import { defaultPolicy } from '../../../src/goal/defaults.ts';
import { applyDecision } from '../../../src/record/decision/apply-decision.ts';
import { makeEvidence, makeFacts, makeInput, settle } from '../../goal/turn-facts.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const at = (seconds: number): string => new Date(Date.parse(NOW) + seconds * 1000).toISOString();

const stateAfter = (...events: GoalEvent[]): GoalState => ({
  goalId: 'g-1',
  epoch: 1,
  revision: 1,
  chart: events.reduce(step, initialChart()),
  counters: makeInput().counters,
  policy: defaultPolicy,
  budget: makeInput().budget,
  mode: 'agent',
  criteriaRevision: 1,
  turn: 4,
  isTurnOpen: false,
  taskQueue: 'q',
});
const limit = { name: 'tokens', used: '35', allowed: '25' } as const;
const wrapping = stateAfter({ type: 'turn.limited', limit });

const led = (change: Partial<DecisionInput>, state = stateAfter()) =>
  applyDecision(state, settle(change), NOW);
const worked = { facts: makeFacts({ toolCalls: 1 }) };
const withOutcome = (outcome: Outcome, more: Partial<Decision> = {}): Decision => ({
  ...settle(worked),
  outcome,
  ...more,
});

describe('a settled turn of a goal that wraps up', () => {
  const turn = (change: Partial<TurnFacts> = {}): Partial<DecisionInput> => ({
    status: 'budget_limited',
    facts: makeFacts({ kind: 'wrap_up', ...change }),
  });

  test('M7 stops it, and names its limit', () => {
    expect(led(turn(), wrapping)).toMatchObject({
      value: { budget_limited: 'stopped' },
      context: { limit },
    });
  });

  test('M7 stops it also where an older workflow says that the limit was reached', () => {
    const said = withOutcome({ action: 'limit', limit }, { rule: 'limit' });
    expect(applyDecision(wrapping, said, NOW).value).toEqual({ budget_limited: 'stopped' });
  });

  test('that was interrupted leaves it where it is: its wrap-up is still to come', () => {
    expect(led(turn({ end: 'interrupted' }), wrapping)).toEqual(wrapping.chart);
  });
});

describe('a settled turn', () => {
  test('that holds changes nothing', () => {
    const paused = stateAfter({
      type: 'goal.paused',
      pause: { reason: 'person', message: '', missing: [], since: NOW },
    });
    expect(led({ status: 'paused' }, paused)).toEqual(paused.chart);
  });

  test('whose goal is proven completes it', () => {
    expect(led({ evidence: makeEvidence() }).value).toBe('complete');
  });

  test('that reached a limit is wrapped up', () => {
    const usage = { ...makeInput().usage, tokens: 1000 };
    expect(led({ ...worked, usage }).value).toEqual({ budget_limited: 'wrapping_up' });
  });

  test('waits until the time that was granted, or for as long as it takes', () => {
    const election = { callId: 'c', on: 'timer', seconds: 30, until: null, generation: 0 } as const;
    const facts = makeFacts({ end: 'election', election, toolCalls: 1 });
    const wait = { on: 'timer', since: NOW, until: at(30) };
    const timed = led({ facts }).context;
    expect(timed).toMatchObject({ next: 'wake', wait, chain: { length: 0, startedAt: NOW } });
    expect(timed.wait).not.toHaveProperty('approvalIds');
    const delegates = { unread: 0, waking: 0, awaited: 1 };
    const handed = led({ facts: makeFacts({ toolCalls: 1, delegates }) }).context;
    expect(handed.wait).toMatchObject({ on: 'delegate', until: null });
    expect(handed).not.toHaveProperty('chain');
  });

  test('that newly meets something ends the row of wakes that led to it', () => {
    const chain = { startedAt: NOW, length: 3, tokensAtStart: 0 };
    const state = stateAfter({ type: 'chain.set', chain });
    expect(led({ ...worked, chain }, state).context.chain).toEqual(chain);
    const facts = makeFacts({ toolCalls: 1, doneTodos: 1 });
    expect(led({ facts, chain }, state).context.chain).toBeNull();
  });
});

describe('a turn that pauses', () => {
  test('says what is missing, and asks nobody where nothing is to be decided', () => {
    const outcome = { action: 'pause', reason: 'no_progress', message: 'no way' } as const;
    const { context } = applyDecision(stateAfter(), withOutcome(outcome, { missing: ['c1'] }), NOW);
    expect(context.pause).toStrictEqual({
      reason: 'no_progress',
      message: 'no way',
      missing: ['c1'],
      since: NOW,
    });
  });

  test('with a question names it after goal and turn, so that settling twice asks once', () => {
    const facts = makeFacts({ end: 'question', detail: 'Which?' });
    expect(led({ facts }).context.pause).toStrictEqual({
      reason: 'question',
      message: 'Which?',
      missing: [],
      since: NOW,
      questionId: 'q-1-4',
    });
    const policy = { ...defaultPolicy, questionTimeoutSeconds: 60, questionDefault: 'Go on.' };
    expect(led({ facts, policy }).context.pause).toMatchObject({ until: at(60) });
  });

  test('with a claim to be judged asks for an approval, and asks no question', () => {
    const outcome = { action: 'pause', reason: 'unverified_claim', message: 'look' } as const;
    const { pause } = applyDecision(stateAfter(), withOutcome(outcome), NOW).context;
    expect(pause).toMatchObject({ reason: 'unverified_claim', approvalId: 'a-1-4' });
    expect(pause).not.toHaveProperty('questionId');
  });
});

describe('a fallback', () => {
  const fallback = (until: string): Fallback => ({ since: at(-600), until, reason: 'overload' });
  const fallen = (until: string) =>
    stateAfter({ type: 'model.fell_back', fallback: fallback(until) });
  const failed = { facts: makeFacts({ end: 'provider_error' }) };
  const question = { facts: makeFacts({ end: 'question' }) };

  test.each([at(-1), at(0)])('that is over by %s ends with a turn of the first model', (until) => {
    expect(led(worked, fallen(until)).context.fallback).toBeNull();
    expect(led(question, fallen(until)).context.fallback).toBeNull();
  });

  test('is kept where the first model failed again: the next failure hands over at once', () => {
    const state = fallen(at(-1));
    expect(led(failed, state)).toMatchObject({
      value: 'paused',
      context: { fallback: fallback(at(-1)) },
    });
  });

  test('is kept while it stands in', () => {
    expect(led(worked, fallen(at(1))).context.fallback).toEqual(fallback(at(1)));
  });

  test('that never was is none afterwards', () => {
    expect(led(worked).context).not.toHaveProperty('fallback');
  });
});

describe('what a settled turn is judged by', () => {
  const settling = { facts: makeFacts(), evidence: null, usage: makeInput().usage, now: NOW };
  const chain = { startedAt: NOW, length: 1, tokensAtStart: 0 };

  test('names a delegate, a row of wakes and its generation only where there is one', () => {
    expect(Object.keys(decisionInput(stateAfter(), settling)).sort()).toEqual(
      Object.keys(makeInput()).sort(),
    );
    const state: GoalState = {
      ...stateAfter({ type: 'chain.cancelled' }, { type: 'chain.set', chain }),
      isDelegate: true,
    };
    expect(decisionInput(state, settling)).toMatchObject({
      isDelegate: true,
      chain,
      generation: 1,
    });
  });

  test('takes a goal that was cleared for one that is over', () => {
    const state = stateAfter({ type: 'goal.cleared' });
    expect(decisionInput(state, settling).status).toBe('complete');
    expect(decisionInput(wrapping, settling).status).toBe('budget_limited');
  });
});
