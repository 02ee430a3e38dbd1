import { describe, expect, test } from 'vitest';
import type { ApprovalKind } from '../../../schema/approval.ts';
import type { Pause } from '../../../schema/goal.ts';
import { Refusal } from '../../../src/contract/failures.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { Mutation, MutationContext, MutationKind } from '../../../src/contract/mutation.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { defaultBudget, defaultPolicy } from '../../../src/goal/defaults.ts';
import { applyMutation, assertAcceptable } from '../../../src/record/mutation/mutate.ts';

const NOW = '2026-01-01T00:00:00.000Z';

const stateAfter = (...events: GoalEvent[]): GoalState => ({
  goalId: 'g-1',
  epoch: 1,
  revision: 7,
  chart: events.reduce(step, initialChart()),
  counters: { ...initialCounters, toolFreeTurns: 2, bestMet: 3 },
  policy: defaultPolicy,
  budget: defaultBudget,
  mode: 'agent',
  criteriaRevision: 1,
  turn: 1,
  isTurnOpen: false,
  taskQueue: 'q',
});

const mutation = (kind: MutationKind, more: Partial<Mutation> = {}): Mutation =>
  ({ commitId: 'c', role: 'operator', by: 'ada', ...kind, ...more }) as Mutation;

const apply = (state: GoalState, kind: MutationKind, more: Partial<MutationContext> = {}) =>
  applyMutation({ state, usage: noUsage, subject: null, ...more }, mutation(kind), NOW);

const refusal = (work: () => unknown): Refusal => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

const pausedFor = (pause: Partial<Pause>): GoalEvent => ({
  type: 'turn.paused',
  pause: { reason: 'person', message: 'm', missing: [], since: NOW, ...pause },
});
const byPerson = pausedFor({});
const limit = { name: 'tokens', used: '35', allowed: '25' } as const;
const limited = { type: 'turn.limited', limit } as const;
const stopped = () => stateAfter(limited, limited);
const resume = { kind: 'resume', acknowledge: false } as const;
const amend = { kind: 'amend', changesCriteria: false } as const;

describe('a mutation that is accepted', () => {
  test('pauses, by name', () => {
    expect(apply(stateAfter(), { kind: 'pause' })).toMatchObject({
      chart: {
        value: 'paused',
        context: { pause: { reason: 'person', message: 'Paused by ada', missing: [], since: NOW } },
      },
      completion: null,
      archived: false,
    });
  });

  test('resumes with a turn that resumes, or with the one that is still open', () => {
    const { chart } = apply(stateAfter(byPerson), resume);
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'resume' } });
    const open = stateAfter({ type: 'turn.held' }, byPerson);
    const held = { ...open, isTurnOpen: true };
    const answering = {
      ...held,
      chart: step(held.chart, { type: 'goal.messaged', limit: null, next: 'message' }),
    };
    const again = { ...answering, chart: step(answering.chart, byPerson) };
    expect(apply(again, resume).chart.context.next).toBe('message');
  });

  test('M9 resumes over a used-up budget into its wrap-up', () => {
    const { chart } = apply(stateAfter(byPerson), resume, { usage: { ...noUsage, turns: 100 } });
    expect(chart).toMatchObject({
      value: { budget_limited: 'wrapping_up' },
      context: { limit: { name: 'turns' } },
    });
  });

  test('completes by hand, and clears', () => {
    expect(apply(stateAfter(byPerson), { kind: 'complete' })).toMatchObject({
      chart: { value: 'complete' },
      completion: 'person',
      archived: false,
    });
    expect(apply(stateAfter(), { kind: 'clear' })).toMatchObject({
      chart: { context: { isArchived: true } },
      completion: null,
      archived: true,
    });
  });

  test('with the revision that is there needs no other', () => {
    const pause = mutation({ kind: 'pause' }, { expectedRevision: 7 });
    const { chart } = applyMutation(
      { state: stateAfter(), usage: noUsage, subject: null },
      pause,
      NOW,
    );
    expect(chart.value).toBe('paused');
  });
});

describe('a rewind', () => {
  const rewind = (to: Extract<MutationKind, { kind: 'rewind' }>['to']) =>
    ({ kind: 'rewind', to }) as const;

  test('leaves a paused goal paused, says to which state, and forgets what was reached', () => {
    const { chart, counters } = apply(stateAfter(byPerson), rewind({ turn: 3 }));
    expect(chart.context.pause).toEqual({
      reason: 'person',
      message: 'Taken back to the state after turn 3 by ada: resume it to go on from there',
      missing: [],
      since: NOW,
    });
    expect(counters).toEqual(initialCounters);
    const back = apply(stateAfter(byPerson), rewind('before_rewind')).chart.context.pause;
    expect(back?.message).toContain('before the last rewind by ada');
  });

  test('leaves a limited goal limited', () => {
    const state = stopped();
    const { chart, counters } = apply(state, rewind({ turn: 3 }));
    expect(chart).toEqual(state.chart);
    expect(counters).toEqual(initialCounters);
  });
});

describe('a refusal', () => {
  test('names status, mutation and revision, and what is possible instead', () => {
    const state = stateAfter(byPerson);
    const error = refusal(() => assertAcceptable(state, mutation({ kind: 'pause' })));
    expect(error).toMatchObject({
      code: 'invalid_transition',
      message: 'A goal that is paused cannot take "pause": resume it first',
      data: { status: 'paused', mutation: 'pause', revision: 7 },
    });
  });

  test('of a message that no turn reads any more says so', () => {
    const taken = mutation({ kind: 'take_back', messageId: 'm-1' });
    const refused = refusal(() => assertAcceptable(stateAfter({ type: 'turn.completed' }), taken));
    expect(refused.message).toMatch(/nothing that waits is read any more$/);
  });

  test('of a goal that was cleared names its status', () => {
    const cleared = stateAfter({ type: 'goal.cleared' });
    const error = refusal(() => apply(cleared, { kind: 'pause' }));
    expect(error.data).toEqual({ status: 'active' });
  });

  test('of a cancelled chain names what was asked of which state, also of one that is over', () => {
    const chain = { startedAt: NOW, length: 1, tokensAtStart: 0 };
    const over = stateAfter({ type: 'chain.set', chain }, { type: 'turn.completed' });
    const error = refusal(() => apply(over, { kind: 'cancel_chain' }));
    expect(error).toMatchObject({
      message: 'There is no chain of wakes to cancel',
      data: { status: 'complete', mutation: 'cancel_chain', revision: 7 },
    });
  });
});

describe('an amendment', () => {
  const usage = { ...noUsage, tokens: 20, turns: 3 };

  test('of the policy changes the fields that it names, and no others', () => {
    const policy = {
      completion: 'supported',
      onUnknown: undefined,
      continuation: { toolFreeTurns: 9, chainLength: undefined },
    } as const;
    expect(apply(stateAfter(), { ...amend, policy }).policy).toStrictEqual({
      ...defaultPolicy,
      completion: 'supported',
      continuation: { ...defaultPolicy.continuation, toolFreeTurns: 9 },
    });
    expect(apply(stateAfter(), { ...amend, policy: {} }).policy).toStrictEqual(defaultPolicy);
  });

  test('of the model gets a goal going that waits for its provider', () => {
    const wait = { on: 'provider', reason: 'r', since: NOW, until: null } as const;
    const state = stateAfter({ type: 'wait.began', wait });
    expect(apply(state, amend).chart.value).toEqual({ active: 'waiting' });
    const changed = apply(state, { ...amend, changesModel: true });
    expect(changed.chart.value).toEqual({ active: 'running' });
  });

  test('of the budget leaves a goal that runs running', () => {
    const { chart, budget } = apply(stateAfter(), { ...amend, budget: { tokens: 30 } }, { usage });
    expect(chart.value).toEqual({ active: 'running' });
    expect(budget).toEqual({ ...defaultBudget, tokens: 30 });
  });

  test('that raises one limit below another names the one that holds now', () => {
    const { chart } = apply(stopped(), { ...amend, budget: { tokens: 1000, turns: 3 } }, { usage });
    expect(chart).toMatchObject({
      value: { budget_limited: 'stopped' },
      context: { limit: { name: 'turns' } },
    });
  });

  test('that meets another limit beside the one that stopped the goal names that', () => {
    const state = { ...stopped(), budget: { ...defaultBudget, tokens: 25 } };
    const { chart } = apply(state, { ...amend, budget: { turns: 3 } }, { usage });
    expect(chart.context.limit?.name).toBe('turns');
  });
});

describe('a decision about', () => {
  const about = (approvalKind: ApprovalKind, decision: 'approve' | 'deny', state: GoalState) =>
    apply(
      state,
      { kind: 'approval', approvalId: 'a-1', decision },
      { subject: { kind: 'approval', approvalKind, isOpen: true, openBeside: 0, callId: 'k' } },
    );
  const waiting = () =>
    stateAfter({
      type: 'turn.waits',
      next: 'wake',
      wait: { on: 'approval', reason: '', since: NOW, until: null, approvalIds: ['a-1'] },
    });
  const paused = () => stateAfter(pausedFor({ reason: 'question', approvalId: 'a-1' }));

  test.each<[ApprovalKind, 'approve' | 'deny', number]>([
    ['tool', 'approve', 0],
    ['tool', 'deny', 0],
    ['approval', 'approve', 2],
    ['approval', 'deny', 0],
    ['manual', 'approve', 2],
    ['criterion', 'approve', 2],
    ['criterion', 'deny', 2],
  ])('a %s (%s) is an answer or only lets the gate go on', (kind, decision, toolFreeTurns) => {
    const { counters, completion } = about(kind, decision, waiting());
    expect(counters).toMatchObject({ toolFreeTurns, bestMet: 3 });
    expect(completion).toBeNull();
  });

  test.each(['approve', 'deny'] as const)(
    'a call whose end was not seen (%s) is an answer',
    (decision) => {
      const { counters, chart } = about('unknown_effect', decision, paused());
      expect(counters.toolFreeTurns).toBe(0);
      expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'resume' } });
    },
  );

  test('a claim that is declined completes nothing', () => {
    const claimed = stateAfter(pausedFor({ reason: 'unverified_claim', approvalId: 'a-1' }));
    expect(about('completion', 'deny', claimed).completion).toBeNull();
    expect(about('completion', 'approve', claimed).completion).toBe('accepted_claim');
  });

  test('a call goes on with the turn that made it', () => {
    const { chart } = about('tool', 'approve', waiting());
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'wake' } });
  });

  test('a proposal leads no limited goal on', () => {
    const state = stopped();
    expect(about('criterion', 'approve', state).chart).toEqual(state.chart);
  });
});

describe('an answer', () => {
  const answer = (questionId: string, state: GoalState, isOpen = true) =>
    apply(state, { kind: 'answer', questionId }, { subject: { kind: 'question', isOpen } });
  const asked = stateAfter(pausedFor({ reason: 'question', questionId: 'q-1' }));
  const spoken = stateAfter(pausedFor({ reason: 'question', questionId: 'q-1' }), {
    type: 'goal.messaged',
    limit: null,
    next: 'message',
  });

  test('leads the goal on that asked, and starts its streaks again', () => {
    const { chart, counters } = answer('q-1', asked);
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'answer' } });
    expect(counters).toMatchObject({ toolFreeTurns: 0, bestMet: 3 });
  });

  test('still counts while the person is answered who spoke first, and while they were', () => {
    expect(answer('q-1', spoken).chart.context.next).toBe('answer');
    const answered = stateAfter(pausedFor({ reason: 'message' }));
    expect(answer('q-1', answered).chart.context.next).toBe('answer');
  });

  test.each<[string, () => unknown, string, RegExp]>([
    [
      'to a question that is not there',
      () => apply(asked, { kind: 'answer', questionId: 'q-1' }),
      'not_found',
      /no such question: q-1/,
    ],
    [
      'to one that was answered',
      () => answer('q-1', asked, false),
      'already_answered',
      /^q-1 was answered before/,
    ],
    ['to one before the last', () => answer('q-0', asked), 'already_answered', /^q-0 is closed/],
    [
      'to one that the goal went on without',
      () => answer('q-1', stateAfter()),
      'already_answered',
      /^q-1 is closed/,
    ],
  ])('%s is refused', (_, work, code, message) => {
    const error = refusal(work);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    if (code === 'already_answered') expect(error.data).toEqual({ id: error.message.slice(0, 3) });
  });

  test('to an approval that is not there, or left behind, is refused', () => {
    const approve = { kind: 'approval', approvalId: 'a-1', decision: 'approve' } as const;
    expect(refusal(() => apply(asked, approve))).toMatchObject({
      code: 'not_found',
      message: 'This goal has no such approval: a-1',
    });
    const subject = {
      kind: 'approval',
      approvalKind: 'manual',
      isOpen: true,
      openBeside: 0,
      callId: null,
    } as const;
    expect(refusal(() => apply(asked, approve, { subject })).data).toEqual({ id: 'a-1' });
  });
});
