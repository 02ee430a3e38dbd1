import type { Budget } from '../../../schema/budget.ts';
import type { Policy, PolicyInput } from '../../../schema/policy.ts';
import type { Role } from '../../../schema/role.ts';
import type { Counters } from '../../contract/decision.ts';
import { Refusal } from '../../contract/failures.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import type { ApprovalSubject, Mutation, MutationContext } from '../../contract/mutation.ts';
import type { LimitReached } from '../../contract/turn-facts.ts';
import { isProposal } from '../../goal/approvals/approvals.ts';
import { findLimit, isRaised, mergeBudget } from '../../goal/budget/budget.ts';
import { canTake, step } from '../../goal/chart/machine.ts';
import { statusOf } from '../../goal/chart/view.ts';
import { initialCounters, resetStreaks } from '../../goal/decision/counters.ts';
import { counted, waitsAsRequested } from '../../goal/waits/chain.ts';
import { eventOf } from './event.ts';
import { isSaidByPerson } from './persons-word.ts';
import { refusedBy } from './refusal.ts';
import { assertSubject } from './subject.ts';

/** The goal after an accepted mutation; the store writes it as one revision. */
export interface Mutated {
  readonly chart: ChartSnapshot;
  readonly counters: Counters;
  readonly budget: Budget;
  readonly policy: Policy;
  /** Completed by a person's hand, by accepting a claim, or by approving a plan. */
  readonly completion: 'person' | 'accepted_claim' | 'approved_plan' | null;
  readonly archived: boolean;
}

/** Roles by mutation; a program that acts for models (`agent`) may only pause and speak. */
const MAY: Record<Mutation['kind'], readonly Role[]> = {
  pause: ['agent', 'operator', 'admin'],
  message: ['agent', 'operator', 'admin'],
  take_back: ['agent', 'operator', 'admin'],
  prompt: ['agent', 'operator', 'admin'],
  end_turn: ['agent', 'operator', 'admin'],
  resume: ['operator', 'admin'],
  amend: ['operator', 'admin'],
  answer: ['operator', 'admin'],
  approval: ['operator', 'admin'],
  dispute: ['operator', 'admin'],
  cancel_chain: ['operator', 'admin'],
  rewind: ['operator', 'admin'],
  complete: ['operator', 'admin'],
  clear: ['operator', 'admin'],
};

/** Whether what is stored of an order is one of a mutation. */
export const isMutation = (body: unknown): boolean =>
  Object.hasOwn(MAY, String((body as { kind?: unknown } | null)?.kind));

/**
 * The checks that need no store: role, goal, revision and state. The workflow's validator runs
 * them before an update is accepted, the commit runs them again under the row's lock.
 * @throws Refusal
 */
export function assertAcceptable(state: GoalState, mutation: Mutation): void {
  if (!MAY[mutation.kind].includes(mutation.role)) {
    throw new Refusal('forbidden', `The role ${mutation.role} may not ${mutation.kind} a goal`);
  }
  if (mutation.kind === 'message' && mutation.stopsCommand === true && mutation.role === 'agent') {
    const detail = 'A program ends no command: leave "now" out, and the next call reads it';
    throw new Refusal('forbidden', detail, { field: 'delivery' });
  }
  const { expectedRevision } = mutation;
  if (expectedRevision !== undefined && expectedRevision !== state.revision) {
    throw new Refusal(
      'goal_conflict',
      `Revision ${expectedRevision} was expected, the goal is at ${state.revision}`,
      {
        expectedRevision,
        actualRevision: state.revision,
        expectedGoalId: state.goalId,
        actualGoalId: state.goalId,
      },
    );
  }
  if (state.chart.context.isArchived) throw archived(state, mutation);
  if (mutation.kind === 'amend' && mutation.mode !== undefined && state.isDelegate === true) {
    const detail = 'The mode of a delegate is its parent’s choice: message the parent instead';
    throw new Refusal('invalid_transition', detail, { field: 'mode' });
  }
  if (mutation.kind === 'end_turn' && mutation.turn !== state.turn)
    throw otherTurn(state, mutation);
  if (mutation.kind === 'take_back' && statusOf(state.chart) === 'complete')
    throw refusedBy(state, mutation);
  const circumstances = { limit: null, approval: null, leadsAlone: false, now: NO_TIME };
  const event = eventOf(state, mutation, circumstances);
  if (event !== null && !canTake(state.chart, event)) throw refusedBy(state, mutation);
}

/** A session that comes late ends no turn but its own. */
const otherTurn = ({ turn }: GoalState, ended: Extract<Mutation, { kind: 'end_turn' }>): Refusal =>
  new Refusal('goal_conflict', `Turn ${ended.turn} was to end, the goal is in turn ${turn}`, {
    expectedTurn: ended.turn,
    actualTurn: turn,
  });

/** A plan that was approved has left its place to the goal that carries it out. */
function archived({ chart }: GoalState, mutation: Mutation): Refusal {
  const status = statusOf(chart);
  return mutation.kind === 'approval' && status === 'complete'
    ? new Refusal('already_answered', `${mutation.approvalId} was answered before`, {
        id: mutation.approvalId,
      })
    : new Refusal('invalid_transition', 'The goal was cleared or replaced', { status });
}

/**
 * Applies a mutation to the row that was read under its lock.
 * @throws Refusal when state, revision, role, question or approval don't allow it
 */
export function applyMutation(context: MutationContext, mutation: Mutation, now: string): Mutated {
  const { state } = context;
  assertAcceptable(state, mutation);
  assertSubject(context, mutation);
  const { budget, policy } = amended(state, mutation);
  const approval = context.subject?.kind === 'approval' ? context.subject : null;
  const limit = limitAfter(context, mutation, budget, now);
  const leadsAlone = context.subject?.kind === 'message' && context.subject.leadsAlone;
  const event = eventOf(state, mutation, { limit, approval, leadsAlone, now });
  if (event !== null && !canTake(state.chart, event)) throw refusedBy(state, mutation);
  const isWord = isPersonsWord(mutation, approval);
  const completion = completionOf(mutation, approval);
  const spoken = chartAfter(state.chart, event, isWord || mutation.kind === 'cancel_chain');
  const chart = isWord ? spoken : withWakeCounted(state.chart, spoken);
  return {
    // The goal that carries the plan out takes its place in the thread.
    chart: completion === 'approved_plan' ? step(chart, { type: 'goal.cleared' }) : chart,
    counters: countersAfter(state.counters, mutation, isWord),
    budget,
    policy,
    completion,
    archived: isEnd(mutation),
  };
}

/** Nothing leads on from here, and the record stays. */
const isEnd = (mutation: Mutation): boolean =>
  mutation.kind === 'clear' || (mutation.kind === 'dispute' && mutation.decision === 'infeasible');

function amended(state: GoalState, mutation: Mutation): Pick<GoalState, 'budget' | 'policy'> {
  const { budget, policy } = mutation.kind === 'amend' ? mutation : {};
  return {
    budget: budget === undefined ? state.budget : mergeBudget(state.budget, budget),
    policy: policy === undefined ? state.policy : mergePolicy(state.policy, policy),
  };
}

function chartAfter(
  chart: ChartSnapshot,
  event: GoalEvent | null,
  cancelsChain: boolean,
): ChartSnapshot {
  const next = event === null ? chart : step(chart, event);
  return cancelsChain ? step(next, { type: 'chain.cancelled' }) : next;
}

/** A program's message, or an amendment, that ends a wait stands for its wake. */
function withWakeCounted(before: ChartSnapshot, after: ChartSnapshot): ChartSnapshot {
  const { chain } = after.context;
  const isWoken = waitsAsRequested(before) && after.context.next === 'resume' && isRunning(after);
  return isWoken && chain ? step(after, { type: 'chain.set', chain: counted(chain) }) : after;
}

const isRunning = ({ value }: ChartSnapshot): boolean =>
  typeof value === 'object' && 'active' in value && value.active === 'running';

/** A rewind takes back what was reached, so reaching it again is progress. */
function countersAfter(counters: Counters, { kind }: Mutation, isWord: boolean): Counters {
  if (kind === 'rewind') return initialCounters;
  return isWord ? resetStreaks(counters) : counters;
}

/**
 * The limit that a goal stands at once this is applied. A turn that began may end, so only a new
 * budget limits a goal that runs; and what stopped a goal holds until it is raised, also where its
 * usage is below it because the next call could not be paid.
 */
function limitAfter(
  { state, usage }: MutationContext,
  mutation: Mutation,
  budget: Budget,
  now: string,
): LimitReached | null {
  const held = state.chart.context.limit;
  if (mutation.kind !== 'amend') return findLimit(budget, usage, now);
  if (mutation.budget === undefined) return held;
  const found = findLimit(budget, usage, now);
  if (found !== null || held === null || isRaised(held, budget)) return found;
  return { ...held, allowed: String(budget[held.name]) };
}

const NO_TIME = '1970-01-01T00:00:00.000Z';

/** Every streak starts again, and so does the row of wakes. */
function isPersonsWord(mutation: Mutation, approval: ApprovalSubject | null): boolean {
  if (mutation.kind !== 'approval') return isSaidByPerson(mutation);
  return mutation.role !== 'agent' && isAnswer(mutation.decision, approval);
}

/**
 * A grant only lets the gate go on; counted as an answer, a claim that writes after every approval
 * could be asked for without end.
 */
function isAnswer(decision: 'approve' | 'deny', approval: ApprovalSubject | null): boolean {
  if (approval?.approvalKind === 'unknown_effect' || approval?.approvalKind === 'tool') return true;
  return decision === 'deny' && !(approval !== null && isProposal(approval.approvalKind));
}

function completionOf(mutation: Mutation, approval: ApprovalSubject | null): Mutated['completion'] {
  if (mutation.kind === 'complete') return 'person';
  if (mutation.kind !== 'approval' || mutation.decision !== 'approve') return null;
  if (approval?.approvalKind === 'plan') return 'approved_plan';
  return approval?.approvalKind === 'completion' ? 'accepted_claim' : null;
}

function mergePolicy(current: Policy, change: PolicyInput): Policy {
  const { continuation, tools: _, ...rest } = change;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const numbers = Object.entries(continuation ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...current,
    ...given,
    continuation: { ...current.continuation, ...Object.fromEntries(numbers) },
  };
}
