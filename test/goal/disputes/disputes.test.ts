import { describe, expect, test } from 'vitest';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { Mutation, MutationContext, MutationKind } from '../../../src/contract/mutation.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { canTake, initialChart, step } from '../../../src/goal/chart/machine.ts';
import { activityOf, pauseOf } from '../../../src/goal/chart/view.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { defaultBudget, defaultPolicy } from '../../../src/goal/defaults.ts';
import { notifyEventOf } from '../../../src/record/approvals/notify-event.ts';
import { applyDecision } from '../../../src/record/decision/apply-decision.ts';
import { resultOfOpenCall } from '../../../src/record/decision/closed-call.ts';
import { applyMutation } from '../../../src/record/mutation/mutate.ts';
import { closeRevision, followUpsOf } from '../../../src/record/revision/follow-ups.ts';
import { makeFacts, settle } from '../turn-facts.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const dispute = { callId: 't1.s1.0', criterionId: 'c1', criteriaRevision: 3 };
const facts = makeFacts({ end: 'dispute', dispute, detail: 'c1 (infeasible): no way' });

const state = (chart = initialChart()): GoalState => ({
  goalId: 'g-1',
  epoch: 1,
  revision: 7,
  chart,
  counters: { ...initialCounters, refusalsInRow: 2 },
  policy: defaultPolicy,
  budget: defaultBudget,
  mode: 'agent',
  criteriaRevision: 3,
  turn: 4,
  isTurnOpen: false,
  taskQueue: 'q',
});

const decision = settle({ facts, criteriaRevision: 3 });
const chart = applyDecision(state(), decision, NOW);
const disputed = state(chart);
const open = { kind: 'dispute', isOpen: true } as const;

const apply = (kind: MutationKind, more: Partial<MutationContext & Mutation> = {}) => {
  const { subject = open, role = 'operator' } = more;
  const mutation = { commitId: 'c', role, by: 'ada', ...kind } as Mutation;
  return applyMutation({ state: disputed, usage: noUsage, subject }, mutation, NOW);
};
const decide = (of: 'insist' | 'infeasible', disputeId = 'd-1-4'): MutationKind => ({
  kind: 'dispute',
  disputeId,
  decision: of,
});
const amend = (changesCriteria: boolean, changesRequirements = false): MutationKind => ({
  kind: 'amend',
  changesCriteria,
  changesRequirements,
});

describe('a turn that ends with a dispute', () => {
  test('DIS-1 pauses the goal for a person, whom the model has reached', () => {
    expect(decision).toMatchObject({ rule: 'ask', yieldsTo: 'nobody' });
    expect(pauseOf(chart)).toMatchObject({ reason: 'disputed', disputeId: 'd-1-4' });
    expect(activityOf(chart, NOW)).toMatchObject({ actor: 'You', state: 'idle' });
    expect(resultOfOpenCall(facts, decision).outcome).toBe('succeeded');
    expect(notifyEventOf(initialChart(), chart)).toBe('blocked');
  });

  test('DIS-6 is refused where the criteria changed while the counter-example ran', () => {
    const stale = settle({ facts, criteriaRevision: 4 });
    expect(stale.outcome).toEqual({ action: 'refuse', next: 'nudge' });
    const { outcome, text } = resultOfOpenCall(facts, stale);
    expect([outcome, text]).toEqual([
      'refused',
      'Not taken: The dispute is refused: the criteria changed while it was looked at.',
    ]);
  });

  test('is judged without a revision where an earlier version decides', () => {
    expect(settle({ facts }).outcome).toMatchObject({ action: 'pause', reason: 'disputed' });
  });
});

describe('a goal that disputes a criterion', () => {
  test('DIS-2 goes on when a person insists, with new streaks', () => {
    const after = apply(decide('insist'));
    expect(after.chart.value).toEqual({ active: 'running' });
    expect(after.chart.context.next).toBe('resume');
    expect(after.counters.refusalsInRow).toBe(0);
  });

  test('DIS-3 is archived, paused and without a completion when a person ends it', () => {
    const after = apply(decide('infeasible'));
    expect(after).toMatchObject({ archived: true, completion: null });
    expect(pauseOf(after.chart)).toMatchObject({ reason: 'infeasible', disputeId: 'd-1-4' });
    expect(notifyEventOf(chart, after.chart)).toBeNull();
  });

  test('DIS-4 goes on by amended criteria, and by nothing else that is amended', () => {
    expect(apply(amend(true)).chart.value).toEqual({ active: 'running' });
    expect(apply(amend(false)).chart.value).toBe('paused');
    expect(pauseOf(apply(amend(false, true)).chart)?.disputeId).toBe('d-1-4');
  });

  test('DIS-8 is decided once, by its own id, and by people only', () => {
    const closed = { kind: 'dispute', isOpen: false } as const;
    expect(() => apply(decide('insist'), { subject: closed })).toThrow('answered before');
    expect(() => apply(decide('insist', 'd-1-3'))).toThrow('went on without an answer');
    expect(() => apply(decide('insist'), { subject: null })).toThrow('no such dispute');
    expect(() => apply(decide('infeasible'), { role: 'agent' })).toThrow('may not dispute');
  });

  test('DIS-8 leaves the dispute to nobody once it goes on or is over', () => {
    const leaves = (event: GoalEvent) =>
      followUpsOf(chart, step(chart, event), false).leavesDispute;
    expect(leaves({ type: 'goal.resumed', limit: null, next: 'resume' })).toBe(true);
    expect(leaves({ type: 'goal.cleared' })).toBe(true);
    expect(leaves({ type: 'goal.amended', limit: null })).toBe(false);
    const closed = closeRevision(chart, true);
    expect(closed.end).toMatchObject({
      kind: 'failed',
      reason: 'disputed: c1 (infeasible): no way',
    });
    expect(followUpsOf(initialChart(), closed.chart, false).leavesDispute).toBe(true);
  });
});

test('DIS-3 no goal is ended as infeasible that disputes nothing', () => {
  const pause: Pause = { reason: 'person', message: 'stop', missing: [], since: NOW };
  const paused = step(initialChart(), { type: 'goal.paused', pause });
  const ended = { type: 'goal.ended', pause } as const;
  expect([canTake(paused, ended), canTake(initialChart(), ended)]).toEqual([false, false]);
});

test('DIS-10 a blocker of an earlier version has no kind', () => {
  const blocked = (blocker: object) =>
    applyDecision(
      state(),
      settle({ facts: makeFacts({ end: 'blocker', blocker: { callId: 'x', ...blocker } }) }),
      NOW,
    );
  expect(pauseOf(blocked({ kind: 'external' }))?.blocker).toBe('external');
  expect(pauseOf(blocked({}))).not.toHaveProperty('blocker');
  expect(activityOf(blocked({}), NOW).reason).toBe('reports a blocker');
});
