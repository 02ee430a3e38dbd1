import type { Budget } from '../../../schema/budget.ts';
import type { Pause } from '../../../schema/goal.ts';
import type { Policy, PolicyInput } from '../../../schema/policy.ts';
import type { Role } from '../../../schema/role.ts';
import type { Counters } from '../../contract/decision.ts';
import { Refusal } from '../../contract/failures.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import type { ApprovalSubject, Mutation, MutationGround } from '../../contract/mutation.ts';
import type { LimitReached, TurnKind } from '../../contract/turn-facts.ts';
import { standingApprovals } from '../approvals/approvals.ts';
import { findLimit, isRaised, mergeBudget } from '../budget/budget.ts';
import { canTake, step } from '../chart/machine.ts';
import { statusOf } from '../chart/view.ts';
import { initialCounters, resetStreaks } from '../decision/counters.ts';
import { waitsByElection } from '../waits/chain.ts';

/** What an accepted mutation makes of a goal; the store writes it as one revision. */
export interface Mutated {
  readonly chart: ChartSnapshot;
  readonly counters: Counters;
  readonly budget: Budget;
  readonly policy: Policy;
  /** `person`: completed by hand, or by accepting a claim. */
  readonly completion: 'person' | 'accepted_claim' | null;
  readonly archived: boolean;
}

/** Roles by mutation; a program that acts for models (`agent`) may only pause and speak. */
const MAY: Record<Mutation['kind'], readonly Role[]> = {
  pause: ['agent', 'operator', 'admin'],
  message: ['agent', 'operator', 'admin'],
  resume: ['operator', 'admin'],
  amend: ['operator', 'admin'],
  answer: ['operator', 'admin'],
  approval: ['operator', 'admin'],
  cancel_chain: ['operator', 'admin'],
  rewind: ['operator', 'admin'],
  complete: ['operator', 'admin'],
  clear: ['operator', 'admin'],
};

/**
 * The checks that need no store: role, goal, revision and state. The workflow's validator runs
 * them before an update is accepted, the commit runs them again under the row's lock.
 * @throws Refusal
 */
export function assertAcceptable(state: GoalState, mutation: Mutation): void {
  if (!MAY[mutation.kind].includes(mutation.role)) {
    throw new Refusal('forbidden', `The role ${mutation.role} may not ${mutation.kind} a goal`);
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
  if (state.chart.context.isArchived) {
    throw new Refusal('invalid_transition', 'The goal was cleared or replaced', {
      status: statusOf(state.chart),
    });
  }
  const event = eventOf(state, mutation, null, NO_TIME, null);
  if (event !== null && !canTake(state.chart, event)) throw refusedBy(state, mutation);
}

/**
 * Applies a mutation to the row that was read under its lock.
 * @throws Refusal when state, revision, role, question or approval don't allow it
 */
export function applyMutation(ground: MutationGround, mutation: Mutation, now: string): Mutated {
  const { state } = ground;
  assertAcceptable(state, mutation);
  assertSubject(ground, mutation);
  const isAmend = mutation.kind === 'amend';
  const budget =
    isAmend && mutation.budget ? mergeBudget(state.budget, mutation.budget) : state.budget;
  const policy =
    isAmend && mutation.policy ? mergePolicy(state.policy, mutation.policy) : state.policy;
  const limit = limitAfter(ground, mutation, budget, now);
  const event = eventOf(state, mutation, limit, now, approvalOf(ground));
  if (event !== null && !canTake(state.chart, event)) throw refusedBy(state, mutation);
  const chart = event === null ? state.chart : step(state.chart, event);
  const isWord = resetsStreaks(mutation, approvalOf(ground));
  return {
    chart:
      isWord || mutation.kind === 'cancel_chain' ? step(chart, { type: 'chain.cancelled' }) : chart,
    counters: countersAfter(state.counters, mutation, isWord),
    budget,
    policy,
    completion: completionOf(mutation, approvalOf(ground)),
    archived: mutation.kind === 'clear',
  };
}

/** What was reached is gone with a rewind, so reaching it again is progress. */
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
  { state, usage }: MutationGround,
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

function eventOf(
  state: GoalState,
  mutation: Mutation,
  limit: LimitReached | null,
  now: string,
  approval: ApprovalSubject | null,
): GoalEvent | null {
  switch (mutation.kind) {
    case 'pause':
      return { type: 'goal.paused', pause: personPause(mutation, now) };
    case 'resume':
      return { type: 'goal.resumed', limit, next: nextTurn(state, 'resume') };
    case 'amend':
      return {
        type: 'goal.amended',
        limit,
        changesCriteria: mutation.changesCriteria,
        ...(mutation.changesModel ? { changesModel: true } : {}),
      };
    case 'message':
      return messageEvent(state, mutation, limit);
    case 'answer':
      return { type: 'goal.answered', limit, next: nextTurn(state, 'answer') };
    case 'approval':
      return approval === null ? null : approvalEvent(state, mutation.decision, approval, limit);
    case 'cancel_chain':
      return cancelEvent(state, mutation, now);
    case 'rewind':
      return { type: 'goal.rewound', pause: rewindPause(mutation, now) };
    case 'complete':
      return { type: 'goal.completed' };
    case 'clear':
      return { type: 'goal.cleared' };
  }
}

/** Null: recorded, and the goal stays where it is. */
function approvalEvent(
  state: GoalState,
  decision: 'approve' | 'deny',
  { approvalKind, callId, openBeside }: ApprovalSubject,
  limit: LimitReached | null,
): GoalEvent | null {
  const isApproved = decision === 'approve';
  switch (approvalKind) {
    case 'criterion':
      // Whatever a person is being asked rests on the criteria as they were.
      return isApproved && standingApprovals(state.chart).length > 0
        ? { type: 'goal.amended', limit, changesCriteria: true }
        : null;
    case 'unknown_effect':
      return { type: 'goal.answered', limit, next: nextTurn(state, 'resume') };
    case 'tool':
      return { type: 'goal.answered', limit, next: state.chart.context.next };
    case 'completion':
      return isApproved ? { type: 'goal.completed' } : { type: 'claim.declined', limit };
    default:
      if (!isApproved) return { type: 'claim.declined', limit };
      return openBeside > 0 ? null : { type: 'claim.granted', claim: callId ?? '' };
  }
}

const approvalOf = ({ subject }: MutationGround): ApprovalSubject | null =>
  subject?.kind === 'approval' ? subject : null;

/**
 * Null: a turn runs, which may go on; the wake that it asks for is refused.
 * @throws Refusal
 */
function cancelEvent(state: GoalState, mutation: Mutation, now: string): GoalEvent | null {
  const { chart } = state;
  if (waitsByElection(chart)) {
    const message = `The wake that the goal waited for was cancelled by ${mutation.by}`;
    return { type: 'goal.paused', pause: { ...personPause(mutation, now), message } };
  }
  if (chart.context.chain != null && statusOf(chart) !== 'complete') return null;
  throw new Refusal('invalid_transition', 'There is no chain of wakes to cancel', {
    status: statusOf(chart),
    mutation: mutation.kind,
    revision: state.revision,
  });
}

/** A turn that is still open goes on as what it was; only a new one gets a new kind. */
const nextTurn = (state: GoalState, kind: TurnKind): TurnKind =>
  state.isTurnOpen ? state.chart.context.next : kind;

/**
 * An agent's message preempts nothing; neither does steering, which needs a goal that runs or one
 * that waits for what it asked for.
 * @throws Refusal
 */
function messageEvent(
  state: GoalState,
  mutation: Extract<Mutation, { kind: 'message' }>,
  limit: LimitReached | null,
): GoalEvent | null {
  const status = statusOf(state.chart);
  const isSteered = mutation.role !== 'agent' && mutation.delivery === 'steer';
  const isAway = waitsByElection(state.chart) || state.chart.context.wait?.on === 'delegate';
  if (isSteered && isAway) {
    return { type: 'goal.messaged', limit, next: 'resume' };
  }
  const isQuiet = mutation.role === 'agent' || mutation.delivery === 'steer';
  if (isQuiet && (status === 'active' || (status === 'paused' && mutation.role === 'agent'))) {
    return null;
  }
  if (isQuiet) throw refusedBy(state, mutation);
  return { type: 'goal.messaged', limit, next: nextTurn(state, 'message') };
}

const personPause = (mutation: Mutation, now: string): Pause => ({
  reason: 'person',
  message: `Paused by ${mutation.by}`,
  missing: [],
  since: now,
});

function rewindPause(mutation: Extract<Mutation, { kind: 'rewind' }>, now: string): Pause {
  const { to, by } = mutation;
  const state = to === 'before_rewind' ? 'before the last rewind' : `after turn ${to.turn}`;
  const message = `Taken back to the state ${state} by ${by}: resume it to go on from there`;
  return { ...personPause(mutation, now), message };
}

function resetsStreaks(mutation: Mutation, approval: ApprovalSubject | null): boolean {
  if (mutation.role === 'agent') return false;
  if (mutation.kind === 'approval') return isAnswer(mutation.decision, approval);
  return ['resume', 'answer', 'message'].includes(mutation.kind);
}

/**
 * A grant only lets the gate go on; counted as an answer, a claim that writes after every approval
 * could be asked for without end.
 */
function isAnswer(decision: 'approve' | 'deny', approval: ApprovalSubject | null): boolean {
  if (approval?.approvalKind === 'unknown_effect' || approval?.approvalKind === 'tool') return true;
  return decision === 'deny' && approval?.approvalKind !== 'criterion';
}

function completionOf(mutation: Mutation, approval: ApprovalSubject | null): Mutated['completion'] {
  if (mutation.kind === 'complete') return 'person';
  const isAccepted = mutation.kind === 'approval' && mutation.decision === 'approve';
  return isAccepted && approval?.approvalKind === 'completion' ? 'accepted_claim' : null;
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

function assertSubject({ state, subject }: MutationGround, mutation: Mutation): void {
  if (mutation.kind !== 'answer' && mutation.kind !== 'approval') return;
  const id = mutation.kind === 'answer' ? mutation.questionId : mutation.approvalId;
  if (subject === null) {
    throw new Refusal(
      'not_found',
      `This goal has no such ${mutation.kind === 'answer' ? 'question' : 'approval'}: ${id}`,
    );
  }
  if (!subject.isOpen) {
    throw new Refusal('already_answered', `${id} was answered before`, { id });
  }
  if (subject.kind === 'question' && !isQuestionOpen(state.chart, id)) {
    throw new Refusal('already_answered', `${id} is closed: the goal went on without an answer`, {
      id,
    });
  }
  const stands = subject.kind !== 'approval' || subject.approvalKind === 'criterion';
  if (!stands && !standingApprovals(state.chart).includes(id)) {
    throw new Refusal('already_answered', `${id} is about a claim that the goal has left behind`, {
      id,
    });
  }
}

/** One that a person talks about first can still be answered, until another one is asked. */
export function isQuestionOpen({ value, context }: ChartSnapshot, questionId: string): boolean {
  if (value === 'paused') return (context.pause?.questionId ?? questionId) === questionId;
  return typeof value === 'object' && 'active' in value && context.next === 'message';
}

const WAY_OUT: Record<string, string> = {
  complete: 'start a new goal instead',
  budget_limited: 'raise or remove the limit first',
  paused: 'resume it first',
  active: 'pause it first',
};

function refusedBy(state: GoalState, mutation: Mutation): Refusal {
  const status = statusOf(state.chart);
  return new Refusal(
    'invalid_transition',
    `A goal that is ${status} cannot take "${mutation.kind}": ${WAY_OUT[status]}`,
    { status, mutation: mutation.kind, revision: state.revision },
  );
}
