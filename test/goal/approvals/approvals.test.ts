import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalKind } from '../../../schema/approval.ts';
import type { TodoItem } from '../../../schema/todo.ts';
import type { DecidedApproval } from '../../../src/contract/approval.ts';
import type { CriterionEvidence, Evidence } from '../../../src/contract/evidence.ts';
import { Refusal } from '../../../src/contract/failures.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { MutationKind } from '../../../src/contract/mutation.ts';
import {
  asksOf,
  declinedChanges,
  judgeApprovalCriterion,
  standingApprovals,
} from '../../../src/goal/approvals/approvals.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart } from '../../../src/goal/chart/machine.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { decide } from '../../../src/goal/decision/decide.ts';
import { defaultBudget, defaultPolicy } from '../../../src/goal/defaults.ts';
import { acceptItem, reopenItem } from '../../../src/proof/todo/todos.ts';
import { applyDecision } from '../../../src/record/decision/apply-decision.ts';
import { applyMutation } from '../../../src/record/mutation/mutate.ts';
import {
  claimFacts,
  makeCriterion,
  makeEvidence,
  makeFacts,
  makeInput,
  settle,
} from '../turn-facts.ts';

const NOW = '2026-01-01T00:00:00.000Z';

const decided = (change: Partial<DecidedApproval> = {}): DecidedApproval => ({
  kind: 'approval',
  state: 'approved',
  subject: 'c2',
  question: 'Good?',
  changes: {},
  by: 'ada',
  note: null,
  isOvertaken: false,
  wasSpokenSince: false,
  ...change,
});

const asks = (change: Partial<CriterionEvidence> = {}) =>
  makeCriterion({
    criterionId: 'c2',
    state: 'unmet',
    baseline: 'not_run',
    isHostChecked: false,
    person: 'needed',
    receipts: [],
    ...change,
  });

const claimWith = (evidence: Evidence, facts = claimFacts(), change: object = {}) =>
  settle({ facts, evidence, ...change });

describe('a criterion of the kind approval', () => {
  const judge = (...given: DecidedApproval[]) => judgeApprovalCriterion('c2', 'Good?', given);

  test('waits for a person until one approved', () => {
    expect(judge()).toMatchObject({ state: 'unmet', person: 'needed', isHostChecked: false });
    expect(judge(decided())).toMatchObject({ state: 'met', person: 'approved' });
  });

  test('R39 is stale once files were written after the approval', () => {
    expect(judge(decided({ isOvertaken: true }))).toMatchObject({
      state: 'stale',
      person: 'needed',
    });
  });

  test('that was denied is not asked again before something changed or a person spoke', () => {
    const denied = decided({ state: 'denied', note: 'Wrong.' });
    expect(judge(denied).person).toBeUndefined();
    expect(judge(denied).reason).toContain('Wrong.');
    expect(judge({ ...denied, isOvertaken: true }).person).toBe('needed');
    expect(judge({ ...denied, wasSpokenSince: true }).person).toBe('needed');
  });

  test('the newest decision counts, and none about another question or criterion', () => {
    expect(judge(decided(), decided({ state: 'denied' })).state).toBe('unmet');
    expect(judge(decided({ question: 'Bad?' })).person).toBe('needed');
    expect(judge(decided({ subject: 'c1' })).person).toBe('needed');
  });
});

describe('a claim where only a person is missing', () => {
  test('C15 waits for them without a clock and does not complete', () => {
    const decision = claimWith(makeEvidence([makeCriterion(), asks()]));
    expect(decision.outcome).toEqual({
      action: 'wait',
      on: 'approval',
      seconds: null,
      next: 'wake',
    });
    expect(decision.asks).toEqual([{ kind: 'approval', subject: 'c2' }]);
    expect(decision.missing).toEqual([]);
  });

  test('is refused, and nobody asked, while anything else is missing', () => {
    const decision = claimWith(makeEvidence([makeCriterion({ state: 'unmet' }), asks()]));
    expect(decision.outcome.action).toBe('refuse');
    expect(decision.missing).toEqual(['c1']);
    expect(decision.asks).toBeUndefined();
  });

  test('R5 asks for every item that only manual evidence backs', () => {
    const facts = claimFacts({ manualTodos: ['T1', 'T3'], hasTodos: true });
    const { outcome, asks: asked } = claimWith(makeEvidence(), facts);
    expect(outcome).toMatchObject({ action: 'wait', on: 'approval' });
    expect(asked).toEqual([
      { kind: 'manual', subject: 'T1' },
      { kind: 'manual', subject: 'T3' },
    ]);
  });

  test('asks about a changed basis first and alone', () => {
    const facts = claimFacts({ manualTodos: ['T1'] });
    const decision = claimWith(makeEvidence([makeCriterion(), asks()], ['a.test.js']), facts);
    expect(decision.outcome).toMatchObject({ action: 'pause', reason: 'unverified_claim' });
    expect(decision.asks).toEqual([{ kind: 'basis' }]);
  });

  test('a change that a person declined is missing like any other', () => {
    const evidence = { ...makeEvidence([makeCriterion()], ['a.test.js']), declined: ['a.test.js'] };
    const decision = claimWith(evidence);
    expect(decision.outcome.action).toBe('refuse');
    expect(decision.missing).toEqual(['basis']);
    expect(decision.reasons.basis).toContain('declined');
  });

  test('of which nothing could be verified is put to them as a whole, once', () => {
    const guard = makeCriterion({ baseline: 'met' });
    const decision = claimWith(makeEvidence([guard]), claimFacts({ manualTodos: ['T1'] }));
    expect(asksOf(decision)).toEqual([{ kind: 'completion' }]);
  });

  test('whose approvals all stand completes: verified, or accepted by the person where nothing is', () => {
    const approved = asks({ state: 'met', person: 'approved' });
    const verified = claimWith(makeEvidence([makeCriterion(), approved])).outcome;
    expect(verified).toMatchObject({ action: 'complete', verification: 'verified' });
    const accepted = claimWith(makeEvidence([approved])).outcome;
    expect(accepted).toMatchObject({ action: 'complete', verification: 'accepted_by_person' });
  });

  test('R34 that was approved and overtaken again and again pauses as gate_exhausted', () => {
    const evidence = makeEvidence([makeCriterion(), asks({ state: 'stale' })]);
    let counters = initialCounters;
    const actions: string[] = [];
    for (let claim = 0; claim < 3; claim += 1) {
      const decision = claimWith(evidence, claimFacts(), { counters });
      counters = decision.counters;
      actions.push(decision.outcome.action);
    }
    expect(actions).toEqual(['wait', 'wait', 'pause']);
  });

  test('M19 a yield completes nothing while a person has to be asked', () => {
    for (const evidence of [
      makeEvidence([makeCriterion(), asks()]),
      makeEvidence([makeCriterion()], ['a.test.js']),
    ]) {
      expect(settle({ facts: makeFacts(), evidence }).outcome.action).toBe('nudge');
    }
    const facts = makeFacts({ manualTodos: ['T1'] });
    expect(settle({ facts, evidence: makeEvidence() }).outcome.action).toBe('nudge');
  });
});

test('a declined change is one with the very content that was declined', () => {
  const denied = decided({ kind: 'basis', state: 'denied', changes: { a: 'h1', b: null } });
  expect(declinedChanges({ a: 'h1', b: null, c: 'h3' }, [denied])).toEqual(['a', 'b']);
  expect(declinedChanges({ a: 'h2' }, [denied])).toEqual([]);
  expect(declinedChanges({ a: 'h1' }, [{ ...denied, wasSpokenSince: true }])).toEqual([]);
});

describe('a person who judges an item', () => {
  const item = {
    id: 'T1',
    content: 'Ask',
    status: 'completed',
    level: 0,
    receipts: [],
    result: 'Yes.',
    isVerified: false,
  } satisfies TodoItem;

  test('accepts it by name, or opens it again as the one in progress', () => {
    expect(acceptItem([item], 'T1', 'ada')[0]).toMatchObject({
      status: 'completed',
      acceptedBy: 'ada',
    });
    expect(reopenItem([item], 'T1')[0]?.status).toBe('in_progress');
    const busy: TodoItem = { ...item, id: 'T2', status: 'in_progress' };
    expect(reopenItem([item, busy], 'T1').map(({ status }) => status)).toEqual([
      'pending',
      'in_progress',
    ]);
  });
});

const state = (chart = initialChart()): GoalState => ({
  goalId: 'g-1',
  epoch: 1,
  revision: 1,
  chart,
  counters: { ...initialCounters, refusalsInRow: 2 },
  policy: defaultPolicy,
  budget: defaultBudget,
  mode: 'agent',
  criteriaRevision: 1,
  turn: 1,
  isTurnOpen: false,
  taskQueue: 'q',
});

const waitingFor = (evidence: Evidence, facts = claimFacts()): GoalState => {
  const decision = claimWith(evidence, facts);
  return state(applyDecision(state(), decision, NOW));
};

const decideOn = (
  goal: GoalState,
  approvalKind: ApprovalKind,
  decision: 'approve' | 'deny',
  openBeside = 0,
) => {
  const [approvalId = 'a-1-1'] = standingApprovals(goal.chart);
  const subject = {
    kind: 'approval',
    approvalKind,
    isOpen: true,
    openBeside,
    callId: 'k',
  } as const;
  const mutation = { commitId: 'c', role: 'operator', by: 'ada' } as const;
  const kind: MutationKind = { kind: 'approval', approvalId, decision };
  return applyMutation({ state: goal, usage: noUsage, subject }, { ...mutation, ...kind }, NOW);
};

describe('a decision', () => {
  const twoAsks = makeEvidence([makeCriterion(), asks(), asks({ criterionId: 'c3' })]);

  test('C15 the goal waits until the last of its approvals is granted, then rechecks that claim', () => {
    const waiting = waitingFor(twoAsks);
    expect(standingApprovals(waiting.chart)).toEqual(['a-1-1', 'a-1-1-2']);
    expect(decideOn(waiting, 'approval', 'approve', 1).chart).toEqual(waiting.chart);
    const { chart, counters } = decideOn(waiting, 'approval', 'approve');
    expect(chart).toMatchObject({
      value: { active: 'running' },
      context: { next: 'wake', claim: 'k', wait: null },
    });
    // A grant is no answer: the row of refusals goes on.
    expect(counters.refusalsInRow).toBe(2);
  });

  test('C7 that denies leads on at once and starts the streaks again', () => {
    const { chart, counters } = decideOn(waitingFor(twoAsks), 'approval', 'deny', 1);
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'answer' } });
    expect(counters.refusalsInRow).toBe(0);
  });

  test('about a basis rechecks the claim out of its pause', () => {
    const paused = waitingFor(makeEvidence([makeCriterion()], ['a.test.js']));
    expect(paused.chart.value).toBe('paused');
    const { chart, completion } = decideOn(paused, 'basis', 'approve');
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { claim: 'k' } });
    expect(completion).toBeNull();
  });

  test('about a proposal moves nothing, but leaves a claim behind that was judged without it', () => {
    expect(decideOn(state(), 'criterion', 'approve').chart).toEqual(initialChart());
    expect(decideOn(state(), 'criterion', 'deny').chart).toEqual(initialChart());
    const waiting = waitingFor(twoAsks);
    expect(decideOn(waiting, 'criterion', 'approve').chart).toMatchObject({
      value: { active: 'running' },
      context: { claim: null, next: 'resume' },
    });
    expect(decideOn(waiting, 'criterion', 'deny').chart).toEqual(waiting.chart);
  });

  test('M22 about a call whose end was not seen lets the goal go on', () => {
    const decision = settle({ facts: makeFacts({ end: 'unknown_effect', detail: 'deploy' }) });
    const paused = state(applyDecision(state(), decision, NOW));
    expect(paused.chart.context.pause).toMatchObject({ reason: 'question', approvalId: 'a-1-1' });
    expect(paused.chart.context.pause).not.toHaveProperty('questionId');
    const { chart } = decideOn(paused, 'unknown_effect', 'approve');
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'resume' } });
  });

  test('about what the goal left behind is already answered', () => {
    expect(() => decideOn(state(), 'approval', 'approve')).toThrow(Refusal);
  });
});

/** A goal in the hands of people who decide anything at any time, and a gate that says anything. */
type Move =
  | {
      readonly type: 'claim';
      readonly isMet: boolean;
      readonly person: CriterionEvidence['person'];
    }
  | { readonly type: 'yield'; readonly isMet: boolean }
  | { readonly type: 'approve' | 'deny'; readonly kind: ApprovalKind }
  | { readonly type: 'resume' | 'amend' | 'message' };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    type: fc.constant('claim' as const),
    isMet: fc.boolean(),
    person: fc.constantFrom('needed' as const, 'approved' as const, undefined),
  }),
  fc.record({ type: fc.constant('yield' as const), isMet: fc.boolean() }),
  fc.record({
    type: fc.constantFrom('approve' as const, 'deny' as const),
    kind: fc.constantFrom<ApprovalKind>('basis', 'manual', 'criterion', 'approval', 'completion'),
  }),
  fc.record({ type: fc.constantFrom('resume' as const, 'message' as const) }),
  fc.record({ type: fc.constant('amend' as const) }),
);

test('no sequence of approvals completes a goal whose criteria are not met', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
      let goal = state();
      let isLastMet = false;
      let asked: string[] = [];
      for (const one of moves) {
        const before = asked;
        try {
          [goal, asked] = play(goal, one, asked);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          continue;
        }
        const isSettled = asked !== before && (one.type === 'claim' || one.type === 'yield');
        if (isSettled) isLastMet = one.isMet;
        // Nobody has looked at the new criterion yet.
        const isAdded = one.type === 'approve' && one.kind === 'criterion';
        if (one.type === 'amend' || isAdded) isLastMet = false;
        if (goal.chart.value === 'complete') {
          expect(isLastMet).toBe(true);
          return;
        }
      }
    }),
    { numRuns: 2000 },
  );
});

function play(goal: GoalState, one: Move, asked: string[]): [GoalState, string[]] {
  const person = { commitId: 'c', role: 'operator', by: 'ada' } as const;
  const mutate = (kind: MutationKind, subject: ApprovalKind | null): GoalState => {
    const about = { kind: 'approval', isOpen: true, openBeside: 0, callId: 'k' } as const;
    const ground = {
      state: goal,
      usage: noUsage,
      subject: subject === null ? null : { ...about, approvalKind: subject },
    };
    return { ...goal, chart: applyMutation(ground, { ...person, ...kind }, NOW).chart };
  };
  switch (one.type) {
    case 'claim':
    case 'yield':
      return settleTurn(goal, one, asked);
    case 'resume':
      return [mutate({ kind: 'resume', acknowledge: false }, null), asked];
    case 'message':
      return [mutate({ kind: 'message', delivery: 'pause' }, null), asked];
    case 'amend':
      return [mutate({ kind: 'amend', changesCriteria: true }, null), asked];
    default: {
      const [approvalId = 'none'] = standingApprovals(goal.chart);
      // Rows have the kind under which they were asked; only a proposal may be any time.
      if (one.kind !== 'criterion' && !asked.includes(one.kind)) return [goal, asked];
      return [mutate({ kind: 'approval', approvalId, decision: one.type }, one.kind), asked];
    }
  }
}

function settleTurn(
  goal: GoalState,
  one: Extract<Move, { type: 'claim' | 'yield' }>,
  asked: string[],
): [GoalState, string[]] {
  if (goal.chart.value === 'paused' || goal.chart.context.wait !== null) return [goal, asked];
  const word =
    one.type === 'claim' && one.person !== undefined ? [asks({ person: one.person })] : [];
  const criteria = [
    makeCriterion({ state: one.isMet ? 'met' : 'unmet', baseline: 'met' }),
    ...word,
  ];
  const decision = decide(
    makeInput({
      facts: one.type === 'claim' ? claimFacts() : makeFacts(),
      evidence: makeEvidence(criteria),
    }),
  );
  return [
    { ...goal, chart: applyDecision(goal, decision, NOW) },
    asksOf(decision).map(({ kind }) => kind),
  ];
}
