import { describe, expect, test } from 'vitest';
import { noUsage } from '../../src/goal/budget.ts';
import { initialCounters } from '../../src/goal/counters.ts';
import { defaultBudget, defaultPolicy } from '../../src/goal/defaults.ts';
import { Refusal } from '../../src/goal/errors.ts';
import { type GoalEvent, initialChart, step } from '../../src/goal/machine.ts';
import { applyMutation } from '../../src/goal/mutate.ts';
import type { GoalState, Mutation, MutationGround, MutationKind } from '../../src/goal/state.ts';

const NOW = '2026-01-01T00:00:00.000Z';

const stateAfter = (...events: GoalEvent[]): GoalState => ({
  goalId: 'g-1',
  epoch: 1,
  revision: 7,
  chart: events.reduce(step, initialChart()),
  counters: { ...initialCounters, toolFreeTurns: 2, refusalsWithoutBest: 4 },
  policy: defaultPolicy,
  budget: defaultBudget,
  mode: 'agent',
  criteriaRevision: 1,
  turn: 1,
  isTurnOpen: false,
  taskQueue: 'q',
});

const by = (
  kind: MutationKind,
  role: Mutation['role'] = 'operator',
  more: object = {},
): Mutation => ({
  commitId: 'c',
  role,
  by: 'ada',
  ...kind,
  ...more,
});

const apply = (state: GoalState, mutation: Mutation, ground: Partial<MutationGround> = {}) =>
  applyMutation({ state, usage: noUsage, subject: null, ...ground }, mutation, NOW);

const refusal = (work: () => unknown): Refusal => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

const claimed = (approvalId: string): GoalEvent => ({
  type: 'turn.paused',
  pause: { reason: 'unverified_claim', message: 'look', missing: [], approvalId, since: NOW },
});
const paused: GoalEvent = {
  type: 'goal.paused',
  pause: { reason: 'person', message: 'stop', missing: [], since: NOW },
};
const openApproval = {
  kind: 'approval',
  approvalKind: 'completion',
  isOpen: true,
  openBeside: 0,
  callId: 't1.s1.1',
} as const;

describe('a mutation', () => {
  test('M1 with another expected revision is refused with both revisions', () => {
    const error = refusal(() =>
      apply(stateAfter(), by({ kind: 'pause' }, 'operator', { expectedRevision: 6 })),
    );
    expect(error.code).toBe('goal_conflict');
    expect(error.data).toMatchObject({
      expectedRevision: 6,
      actualRevision: 7,
      actualGoalId: 'g-1',
    });
  });

  test('M23 by a program that acts for models can pause and speak, and nothing else', () => {
    expect(apply(stateAfter(), by({ kind: 'pause' }, 'agent')).chart.value).toBe('paused');
    for (const kind of ['resume', 'complete', 'clear'] as const) {
      const mutation = by({ kind, acknowledge: false } as MutationKind, 'agent');
      expect(refusal(() => apply(stateAfter(paused), mutation)).code).toBe('forbidden');
    }
  });

  test("by a program leaves a paused goal paused: its message waits for the goal's next turn", () => {
    const message = by({ kind: 'message', delivery: 'pause' }, 'agent');
    expect(apply(stateAfter(paused), message).chart.value).toBe('paused');
  });

  test("a person's resume sets every streak to zero and no total", () => {
    const { counters } = apply(stateAfter(paused), by({ kind: 'resume', acknowledge: false }));
    expect(counters.toolFreeTurns).toBe(0);
  });

  test('M8 a budget lowered below its use limits at once', () => {
    const lower = by({ kind: 'amend', budget: { tokens: 10 }, changesCriteria: false });
    const { chart, budget } = apply(stateAfter(), lower, { usage: { ...noUsage, tokens: 11 } });
    expect(chart.value).toEqual({ budget_limited: 'wrapping_up' });
    expect(budget.tokens).toBe(10);
  });

  test('M13 an edited objective moves nothing but what it names', () => {
    const state = stateAfter();
    const edited = apply(state, by({ kind: 'amend', changesCriteria: false }));
    expect(edited).toMatchObject({
      chart: state.chart,
      budget: state.budget,
      policy: state.policy,
    });
  });

  test('steering needs a goal that runs', () => {
    const steer = by({ kind: 'message', delivery: 'steer' });
    expect(refusal(() => apply(stateAfter(paused), steer)).code).toBe('invalid_transition');
    expect(apply(stateAfter(), steer).chart.value).toEqual({ active: 'running' });
  });

  test('nothing changes a goal that is complete or cleared', () => {
    for (const end of ['goal.completed', 'goal.cleared'] as const) {
      const ended = stateAfter({ type: end });
      const error = refusal(() => apply(ended, by({ kind: 'pause' })));
      expect(error.code).toBe('invalid_transition');
    }
  });
});

describe('an approval of a claim', () => {
  const approve = by({ kind: 'approval', approvalId: 'a-1', decision: 'approve' });

  test('C7 completes the goal by a word of the person, once', () => {
    const state = stateAfter(claimed('a-1'));
    expect(apply(state, approve, { subject: openApproval })).toMatchObject({
      chart: { value: 'complete' },
      completion: 'accepted_claim',
    });
    const again = { subject: { ...openApproval, isOpen: false } };
    expect(refusal(() => apply(state, approve, again)).code).toBe('already_answered');
  });

  test('C7 declined leads the same goal on', () => {
    const decline = by({ kind: 'approval', approvalId: 'a-1', decision: 'deny' });
    const { chart } = apply(stateAfter(claimed('a-1')), decline, { subject: openApproval });
    expect(chart.value).toEqual({ active: 'running' });
    expect(chart.context.next).toBe('answer');
  });

  test('that the goal has left behind completes nothing', () => {
    const wentOn = stateAfter(claimed('a-1'), {
      type: 'goal.resumed',
      limit: null,
      next: 'resume',
    });
    expect(refusal(() => apply(wentOn, approve, { subject: openApproval })).code).toBe(
      'already_answered',
    );
    const claimsAnew = stateAfter(claimed('a-2'));
    expect(refusal(() => apply(claimsAnew, approve, { subject: openApproval })).code).toBe(
      'already_answered',
    );
  });
});
