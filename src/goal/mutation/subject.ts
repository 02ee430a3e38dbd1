import { Refusal } from '../../contract/failures.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { Mutation, MutationContext } from '../../contract/mutation.ts';
import { standingApprovals } from '../approvals/approvals.ts';

/**
 * Is the question or approval that a mutation names there, open, and still what the goal stands on?
 * @throws Refusal
 */
export function assertSubject({ state, subject }: MutationContext, mutation: Mutation): void {
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
function isQuestionOpen({ value, context }: ChartSnapshot, questionId: string): boolean {
  if (value === 'paused') return (context.pause?.questionId ?? questionId) === questionId;
  return typeof value === 'object' && 'active' in value && context.next === 'message';
}
