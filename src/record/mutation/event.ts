import type { Pause } from '../../../schema/goal.ts';
import { Refusal } from '../../contract/failures.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { ApprovalSubject, Mutation } from '../../contract/mutation.ts';
import type { LimitReached, TurnKind } from '../../contract/turn-facts.ts';
import { standingApprovals } from '../../goal/approvals/approvals.ts';
import { pauseOf, statusOf } from '../../goal/chart/view.ts';
import { waitsAsRequested } from '../../goal/waits/chain.ts';
import { isByProgram } from './persons-word.ts';
import { refusedBy } from './refusal.ts';

interface Circumstances {
  /** At which the goal stands once the mutation is applied. */
  readonly limit: LimitReached | null;
  /** The approval that it names. */
  readonly approval: ApprovalSubject | null;
  /** The message that it takes back led a paused goal on, and no other one does. */
  readonly leadsAlone: boolean;
  readonly now: string;
}

/** The chart event of a mutation; null: it is recorded, and the goal stays where it is. */
export function eventOf(
  state: GoalState,
  mutation: Mutation,
  { limit, approval, leadsAlone, now }: Circumstances,
): GoalEvent | null {
  switch (mutation.kind) {
    case 'pause':
      return { type: 'goal.paused', pause: orderedPause(mutation, now) };
    case 'resume':
      return { type: 'goal.resumed', limit, next: nextTurn(state, 'resume') };
    case 'amend':
      return {
        type: 'goal.amended',
        limit,
        changesCriteria: leavesClaim(state, mutation),
        ...(mutation.changesCriteria ? { amendsCriteria: true } : {}),
        ...(mutation.changesModel ? { changesModel: true } : {}),
        ...(asksAnew(state, mutation) ? { asksAnew: true } : {}),
      };
    case 'message':
      return messageEvent(state, mutation, limit);
    case 'take_back':
      return leadsAlone && statusOf(state.chart) === 'active' ? pausedAgain(mutation, now) : null;
    case 'prompt':
      return promptEvent(state, mutation, limit);
    case 'end_turn':
      return { type: 'session.ended' };
    case 'answer':
      return { type: 'goal.answered', limit, next: nextTurn(state, 'answer') };
    case 'approval':
      return approval === null ? null : approvalEvent(state, mutation.decision, approval, limit);
    case 'dispute':
      return mutation.decision === 'insist'
        ? { type: 'goal.answered', limit, next: nextTurn(state, 'resume') }
        : { type: 'goal.ended', pause: infeasiblePause(mutation, now) };
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

/** The goal stood still until the message came, so it stands still without it. */
function pausedAgain(mutation: Mutation, now: string): GoalEvent {
  const message = `The message that led it on was taken back by ${mutation.by}`;
  return { type: 'goal.paused', pause: { ...orderedPause(mutation, now), message } };
}

/** The goal is asked for something else: the model reads it before it waits any longer, or ends. */
export function asksAnew(
  state: GoalState,
  mutation: Extract<Mutation, { kind: 'amend' }>,
): boolean {
  const { changesObjective, changesCriteria, changesRequirements, mode = state.mode } = mutation;
  const isOther = changesObjective || changesCriteria || changesRequirements;
  return isOther === true || mode !== state.mode;
}

/** A claim was judged by the requirements too; a plan was judged by neither, yet by its mode. */
function leavesClaim(state: GoalState, mutation: Extract<Mutation, { kind: 'amend' }>): boolean {
  const { changesCriteria, changesRequirements = false, mode = state.mode } = mutation;
  if (mode !== state.mode) return true;
  return state.mode !== 'plan' && (changesCriteria || changesRequirements);
}

function approvalEvent(
  state: GoalState,
  decision: 'approve' | 'deny',
  { approvalKind, callId, openBeside, standingClaim }: ApprovalSubject,
  limit: LimitReached | null,
): GoalEvent | null {
  const isApproved = decision === 'approve';
  switch (approvalKind) {
    case 'criterion':
    case 'requirement_change':
      // Every question to a person rests on the criteria as they were.
      return isApproved && state.mode !== 'plan' && standingApprovals(state.chart).length > 0
        ? { type: 'goal.amended', limit, changesCriteria: true }
        : null;
    case 'scope_change':
      // What was asked for because of the narrower scope may need nobody now.
      return isApproved && standingClaim != null && standingApprovals(state.chart).length > 0
        ? { type: 'claim.granted', claim: standingClaim }
        : null;
    case 'unknown_effect':
      return { type: 'goal.answered', limit, next: nextTurn(state, 'resume') };
    case 'tool':
      return { type: 'goal.answered', limit, next: state.chart.context.next };
    case 'completion':
    case 'plan':
      return isApproved ? { type: 'goal.completed' } : { type: 'claim.declined', limit };
    default:
      if (!isApproved) return { type: 'claim.declined', limit };
      return openBeside > 0 ? null : { type: 'claim.granted', claim: callId ?? '' };
  }
}

/**
 * Null: a turn runs, which may go on; the wake that it asks for is refused.
 * @throws Refusal
 */
function cancelEvent(state: GoalState, mutation: Mutation, now: string): GoalEvent | null {
  const { chart } = state;
  if (waitsAsRequested(chart)) {
    const message = `The wake that the goal waited for was cancelled by ${mutation.by}`;
    return { type: 'goal.paused', pause: { ...orderedPause(mutation, now), message } };
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
 * Steering needs a goal that runs, or one that waits for something to happen or for a decision. An
 * agent's message ends a wait for news as well, but no other one and no pause, and it buys no turn
 * beyond a limit.
 * @throws Refusal
 */
function messageEvent(
  state: GoalState,
  mutation: Extract<Mutation, { kind: 'message' }>,
  limit: LimitReached | null,
): GoalEvent | null {
  const status = statusOf(state.chart);
  // Its session hears of it when it stops.
  if (state.isExternal === true && status === 'active') return null;
  const isByAgent = isByProgram(mutation);
  const isQuiet = isByAgent || mutation.delivery === 'steer';
  const isAway =
    waitsAsRequested(state.chart) ||
    state.chart.context.wait?.on === 'delegate' ||
    (!isByAgent && standingApprovals(state.chart).length > 0 && status === 'active');
  if (isQuiet && isAway && !(isByAgent && limit !== null)) {
    return { type: 'goal.messaged', limit, next: 'resume' };
  }
  if (isQuiet && (status === 'active' || (status === 'paused' && isByAgent))) {
    return null;
  }
  if (isQuiet) throw refusedBy(state, mutation);
  const next = nextTurn(state, state.isExternal === true ? 'resume' : 'message');
  return { type: 'goal.messaged', limit, next };
}

/**
 * A prompt leads a paused goal on, as a message does, unless a person paused it: they work in the
 * session on something else. Nothing that a program says ends a pause.
 */
function promptEvent(
  state: GoalState,
  mutation: Extract<Mutation, { kind: 'prompt' }>,
  limit: LimitReached | null,
): GoalEvent | null {
  const status = statusOf(state.chart);
  if (status === 'active' || status === 'budget_limited') return null;
  const isHeld = pauseOf(state.chart)?.reason === 'person' || isByProgram(mutation);
  if (status === 'paused' && isHeld) return null;
  return { type: 'goal.messaged', limit, next: nextTurn(state, 'resume') };
}

const orderedPause = (mutation: Mutation, now: string): Pause => ({
  reason: isByProgram(mutation) ? 'program' : 'person',
  message: `Paused by ${mutation.by}`,
  missing: [],
  since: now,
});

const infeasiblePause = (
  { by, disputeId }: Extract<Mutation, { kind: 'dispute' }>,
  now: string,
): Pause => ({
  reason: 'infeasible',
  message: `Ended by ${by}: it cannot be reached as it was asked`,
  missing: [],
  disputeId,
  since: now,
});

function rewindPause(mutation: Extract<Mutation, { kind: 'rewind' }>, now: string): Pause {
  const { to, by } = mutation;
  const state = to === 'before_rewind' ? 'before the last rewind' : `after turn ${to.turn}`;
  const message = `Taken back to the state ${state} by ${by}: resume it to go on from there`;
  return { ...orderedPause(mutation, now), message };
}
