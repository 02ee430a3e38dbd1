import { Refusal } from '../../contract/failures.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type {
  ApprovalSubject,
  MessageSubject,
  Mutation,
  MutationContext,
} from '../../contract/mutation.ts';
import { isProposal, standingApprovals } from '../../goal/approvals/approvals.ts';
import { pauseOf } from '../../goal/chart/view.ts';

interface Named {
  readonly what: 'question' | 'approval' | 'dispute' | 'message';
  readonly id: string;
}

function subjectOf(mutation: Mutation): Named | null {
  switch (mutation.kind) {
    case 'answer':
      return { what: 'question', id: mutation.questionId };
    case 'approval':
      return { what: 'approval', id: mutation.approvalId };
    case 'dispute':
      return { what: 'dispute', id: mutation.disputeId };
    case 'take_back':
      return { what: 'message', id: mutation.messageId };
    default:
      return null;
  }
}

/**
 * Is what a mutation names there and open: the question, approval or dispute still what the goal
 * stands on, the message unread?
 * @throws Refusal
 */
export function assertSubject({ state, subject }: MutationContext, mutation: Mutation): void {
  const named = subjectOf(mutation);
  if (named === null) return;
  const { id, what } = named;
  if (subject === null) {
    throw new Refusal('not_found', `This goal has no such ${what}: ${id}`, {
      ...(what === 'message' ? { field: 'messageId' } : {}),
    });
  }
  if (subject.kind === 'message') {
    assertUnread(subject, mutation, id);
    return;
  }
  const over = (why: string) => new Refusal('already_answered', `${id} ${why}`, { id });
  if (!subject.isOpen) {
    throw over(subject.isSuperseded === true ? LEFT_OPEN : 'was answered before');
  }
  const isLeft =
    (subject.kind === 'question' && !isQuestionOpen(state.chart, id)) ||
    (subject.kind === 'dispute' && pauseOf(state.chart)?.disputeId !== id);
  if (isLeft) throw over(LEFT_OPEN);
  const stands = subject.kind !== 'approval' || isProposal(subject.approvalKind);
  if (!stands && !standingApprovals(state.chart).includes(id)) {
    throw over('is about a claim that the goal has left behind');
  }
  if (subject.kind === 'approval' && mutation.kind === 'approval') assertPlanned(subject, mutation);
}

const LEFT_OPEN = 'is closed: the goal went on without an answer';

/**
 * Who sent it takes it back. An operator takes back what a program sent, an admin whatever waits.
 * @throws Refusal where it was read, or is another's
 */
function assertUnread(subject: MessageSubject, { by, role }: Mutation, messageId: string): void {
  const { sentBy, voice, turn } = subject;
  const isOwn = sentBy === by || (voice === 'agent' && role === 'operator');
  if (!isOwn && role !== 'admin') {
    const detail = `Only ${sentBy ?? 'an admin'} or an admin takes the message back`;
    throw new Refusal('forbidden', detail, { field: 'messageId', messageId });
  }
  if (turn !== null && turn > 0) throw wasRead(messageId, turn);
}

export const wasRead = (messageId: string, turn: number): Refusal =>
  new Refusal(
    'invalid_transition',
    `Turn ${turn} has read the message, so it can't be taken back: say what holds instead`,
    { field: 'messageId', messageId, turn },
  );

/**
 * The goal that carries a plan out starts from the files as they are, so they must not be the work
 * of the goal that planned: it would have judged itself.
 */
function assertPlanned(
  { approvalKind, hasWritten = false }: ApprovalSubject,
  { decision, approvalId }: Extract<Mutation, { kind: 'approval' }>,
): void {
  if (approvalKind !== 'plan' || decision === 'deny' || !hasWritten) return;
  const detail =
    'The goal has changed files itself, so no other one can start from them: amend it to the mode ' +
    '"agent", and it carries its plan out';
  throw new Refusal('invalid_transition', detail, { field: 'mode', approvalId });
}

/** One that a person talks about first can still be answered, until another one is asked. */
function isQuestionOpen({ value, context }: ChartSnapshot, questionId: string): boolean {
  if (value === 'paused') return (context.pause?.questionId ?? questionId) === questionId;
  return typeof value === 'object' && 'active' in value && context.next === 'message';
}
