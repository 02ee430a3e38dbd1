import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionInput } from '../../../src/contract/decision.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { SliceEnd, TurnKind } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { decide } from '../../../src/goal/decision/decide.ts';
import { decisionInput } from '../../../src/goal/decision/decision-input.ts';
import { defaultBudget, defaultPolicy } from '../../../src/goal/defaults.ts';
import { storable } from '../../../src/store/json.ts';
import { claimFacts, makeCriterion, makeEvidence, makeFacts, makeInput } from '../turn-facts.ts';

const state: GoalState = {
  goalId: 'g-1',
  epoch: 1,
  revision: 3,
  chart: initialChart(),
  counters: { ...initialCounters, toolFreeTurns: 2 },
  policy: defaultPolicy,
  budget: defaultBudget,
  mode: 'agent',
  criteriaRevision: 1,
  turn: 1,
  isTurnOpen: true,
  taskQueue: 'queue',
};
const settling = {
  facts: claimFacts(),
  evidence: makeEvidence(),
  usage: noUsage,
  now: '2026-01-01T00:00:00.000Z',
};

describe('what a decision is computed from', () => {
  it('is the goal as it stands and what the turn brings', () => {
    const { counters, policy, budget } = state;
    const rest = { counters, policy, budget, ...settling };
    expect(decisionInput(state, settling)).toEqual({ status: 'active', ...rest });
  });

  it('takes a goal that was cleared or replaced for one that has ended', () => {
    const archived = { ...state, chart: step(state.chart, { type: 'goal.cleared' }) };
    const decision = decide(decisionInput(archived, settling));
    expect(decision).toMatchObject({ rule: 'interrupted', outcome: { action: 'hold' } });
  });

  it('leads to the same decision when it was stored and read again (property)', () => {
    const ends: SliceEnd[] = ['yield', 'claim', 'question', 'turn_cap', 'budget', 'repetition'];
    const kinds: TurnKind[] = ['start', 'nudge', 'message', 'answer', 'wrap_up'];
    const facts = fc.record({
      end: fc.constantFrom(...ends),
      kind: fc.constantFrom(...kinds),
      toolCalls: fc.nat(3),
      receipts: fc.nat(3),
      toolRatio: fc.double({ min: 0, max: 2, noNaN: true }),
      openTodos: fc.uniqueArray(fc.constantFrom('t1', 't2'), { maxLength: 2 }),
      unread: fc.nat(1),
      detail: fc.option(fc.string({ unit: 'binary' })),
    });
    const criterion = fc
      .constantFrom('met', 'unmet', 'stale')
      .map((one) => makeCriterion({ state: one as 'met' }));
    fc.assert(
      fc.property(facts, fc.option(criterion), (change, one) => {
        const evidence = one === null ? null : makeEvidence([one]);
        const input = makeInput({ facts: makeFacts(change), evidence });
        const stored = storable(input) as unknown as DecisionInput;
        expect(storable(decide(stored))).toEqual(storable(decide(input)));
      }),
    );
  });
});
