import { describe, expect, test } from 'vitest';
import type { BudgetInput } from '../../../schema/budget.ts';
import { Refusal } from '../../../src/contract/failures.ts';
import type { GoalEvent } from '../../../src/contract/goal-event.ts';
import type { GoalState } from '../../../src/contract/goal-state.ts';
import type { Mutation, MutationContext, MutationKind } from '../../../src/contract/mutation.ts';
import type { WakeChain } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { initialChart, step } from '../../../src/goal/chart/machine.ts';
import { statusOf } from '../../../src/goal/chart/view.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { defaultBudget, defaultPolicy } from '../../../src/goal/defaults.ts';
import { applyMutation } from '../../../src/record/mutation/mutate.ts';

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

const apply = (state: GoalState, mutation: Mutation, ground: Partial<MutationContext> = {}) =>
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
    const { value, context } = apply(stateAfter(), by({ kind: 'pause' }, 'agent')).chart;
    expect([value, context.pause?.reason]).toEqual(['paused', 'program']);
    const byPerson = apply(stateAfter(), by({ kind: 'pause' }, 'operator')).chart;
    expect(byPerson.context.pause?.reason).toBe('person');
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

describe('a budget that is used up', () => {
  const limit = { name: 'tokens', used: '900 (the next call needs about 300)', allowed: '1000' };
  const limited = { type: 'turn.limited', limit } as GoalEvent;
  const usage = { ...noUsage, tokens: 900, turns: 3 };
  const amend = (budget?: BudgetInput) => by({ kind: 'amend', changesCriteria: false, budget });
  const stopped = () => ({
    ...stateAfter(limited, limited),
    budget: { ...defaultBudget, tokens: 1000, turns: 3 },
  });

  test.each<[string, BudgetInput | undefined]>([
    ['another objective', undefined],
    ['more turns', { turns: 10 }],
    ['the same limit', { tokens: 1000 }],
    ['less of it', { tokens: 950 }],
  ])('M9 M15 is not re-armed by %s, so that no second wrap-up follows', (_, budget) => {
    const state = { ...stopped(), budget: { ...stopped().budget, turns: 5 } };
    const { chart } = apply(state, amend(budget), { usage });
    expect(chart.value).toEqual({ budget_limited: 'stopped' });
    expect(chart.context.limit?.allowed).toBe(String(budget?.tokens ?? 1000));
  });

  test('M7 is re-armed by what raises or removes that very limit', () => {
    const state = { ...stopped(), budget: { ...stopped().budget, turns: 5 } };
    for (const budget of [{ tokens: 1001 }, { tokens: null }])
      expect(statusOf(apply(state, amend(budget), { usage }).chart)).toBe('active');
  });

  test('lets the turn that runs end, whatever else of the goal is edited', () => {
    const state = { ...stateAfter(), budget: { ...defaultBudget, turns: 3 }, isTurnOpen: true };
    expect(statusOf(apply(state, amend(), { usage }).chart)).toBe('active');
    expect(statusOf(apply(state, amend({ turns: 3 }), { usage }).chart)).toBe('budget_limited');
  });

  test('M10 takes neither steering nor any other message while it wraps up', () => {
    for (const delivery of ['steer', 'pause'] as const) {
      const message = by({ kind: 'message', delivery });
      expect(refusal(() => apply(stateAfter(limited), message)).code).toBe('invalid_transition');
      const said = by({ kind: 'message', delivery }, 'agent');
      expect(refusal(() => apply(stateAfter(limited), said)).code).toBe('invalid_transition');
    }
  });
});

const oneMore = (chain: WakeChain | null | undefined) =>
  chain && { ...chain, length: chain.length + 1 };

describe('a chain of wakes', () => {
  const wait = { on: 'timer' as const, reason: 'r', since: NOW, until: NOW };
  const chain = { startedAt: NOW, length: 3, tokensAtStart: 5 };
  const withChain = (state: GoalState): GoalState => ({
    ...state,
    chart: { ...state.chart, context: { ...state.chart.context, chain, generation: 4 } },
  });
  const running = withChain(stateAfter());
  const waiting = withChain(stateAfter({ type: 'turn.waits', next: 'wake', wait }));

  test.each(['pause', 'steer'] as const)(
    'O14 O23 O34 ends with a message of a person (%s), which preempts its timer',
    (delivery) => {
      const { chart } = apply(waiting, by({ kind: 'message', delivery }));
      const next = delivery === 'pause' ? 'message' : 'resume';
      expect(chart).toMatchObject({
        value: { active: 'running' },
        context: { wait: null, next, chain: null, generation: 5 },
      });
    },
  );

  test('CON-173 steering ends the wait for a decision, as any message of a person does; a program does not', () => {
    const asked = { ...wait, on: 'approval' as const, until: null, approvalIds: ['a-1'] };
    const away = stateAfter({ type: 'turn.waits', next: 'wake', wait: asked });
    const steer = { kind: 'message', delivery: 'steer' } as const;
    const { chart } = apply(away, by(steer));
    expect(chart).toMatchObject({
      value: { active: 'running' },
      context: { wait: null, next: 'resume' },
    });
    expect(apply(away, by(steer, 'agent')).chart).toEqual(away.chart);
    expect(apply(away, by({ ...steer, isHeartbeat: true })).chart).toEqual(away.chart);
  });

  test('steering also reaches a goal that waits for its delegates', () => {
    const delegated = { ...wait, on: 'delegate' as const, until: null };
    const away = stateAfter({ type: 'turn.waits', next: 'wake', wait: delegated });
    const { chart } = apply(away, by({ kind: 'message', delivery: 'steer' }));
    expect(chart).toMatchObject({ value: { active: 'running' }, context: { next: 'resume' } });
  });

  test.each(['pause', 'steer'] as const)(
    'TRIG-32 goes on where a program speaks (%s): it ends the wait and resets nothing',
    (delivery) => {
      const said = by({ kind: 'message', delivery }, 'agent');
      const { chart, counters } = apply(waiting, said);
      const { chain, generation } = waiting.chart.context;
      expect(chart).toMatchObject({
        value: { active: 'running' },
        context: { wait: null, next: 'resume', chain: oneMore(chain), generation },
      });
      expect(counters).toEqual(waiting.counters);
    },
  );

  test('TRIG-32 a program buys no turn beyond a limit', () => {
    const limited = { ...waiting, budget: { ...waiting.budget, turns: 0 } };
    const { chart } = apply(limited, by({ kind: 'message', delivery: 'steer' }, 'agent'));
    expect(chart).toEqual(waiting.chart);
  });

  test.each([
    [{ changesObjective: true }, 'running'],
    [{ changesCriteria: true }, 'running'],
    [{ changesRequirements: true }, 'running'],
    [{ mode: 'gather' as const }, 'running'],
    [{ budget: { turns: 40 } }, 'waiting'],
    [{ changesModel: true }, 'waiting'],
  ])('TRIG-33 an amendment %j of a goal that waits for a timer leaves it %s', (more, state) => {
    const amended = by({ kind: 'amend', changesCriteria: false, ...more });
    const { chart } = apply(waiting, amended);
    expect(chart.value).toEqual({ active: state });
    const { chain } = waiting.chart.context;
    expect(chart.context.chain).toEqual(state === 'running' ? oneMore(chain) : chain);
  });

  test('O35 is cancelled by a person: a goal that waits for it pauses', () => {
    const { chart } = apply(waiting, by({ kind: 'cancel_chain' }));
    expect(chart).toMatchObject({
      value: 'paused',
      context: { pause: { reason: 'person' }, wait: null, chain: null, generation: 5 },
    });
  });

  test('is cancelled under a turn that runs: the turn goes on', () => {
    const { chart } = apply(running, by({ kind: 'cancel_chain' }));
    expect(chart).toMatchObject({
      value: { active: 'running' },
      context: { chain: null, generation: 5 },
    });
  });

  test('that is not there cannot be cancelled', () => {
    const { code } = refusal(() => apply(stateAfter(), by({ kind: 'cancel_chain' })));
    expect(code).toBe('invalid_transition');
  });

  test('is not for programs to cancel', () => {
    const { code } = refusal(() => apply(waiting, by({ kind: 'cancel_chain' }, 'agent')));
    expect(code).toBe('forbidden');
  });
});
