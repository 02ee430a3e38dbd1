import type { Approval, ApprovalKind } from '../../../schema/approval.ts';
import { isProposal } from '../../goal/approvals/approvals.ts';
import { noticeOf } from './approval-text.ts';

export interface DecidedByPerson {
  readonly kind: ApprovalKind;
  readonly decision: 'approve' | 'deny';
  readonly data: Approval['data'];
  readonly note: string | null;
}

export interface DecisionMessages {
  /** The host's message about the decision; null = none. */
  readonly notice: string | null;
  /** The person's own words, as a message of theirs; null = none. */
  readonly words: string | null;
}

/**
 * The messages to the model about a decision. No turn waits for a declined proposal, so the host's
 * message carries the person's words; words about a call are part of the call's result.
 */
export function decisionMessages(decided: DecidedByPerson): DecisionMessages {
  const { kind, decision, data } = decided;
  const notice = noticeOf(kind, decision, data);
  const words = reasonOf(decided);
  if (isProposal(kind) && notice !== null && words !== null)
    return { notice: `${notice} Their words: ${words}`, words: null };
  return { notice, words: isProposal(kind) || kind === 'tool' ? null : words };
}

/** Only a denial has to be explained. */
const reasonOf = ({ decision, note }: DecidedByPerson): string | null =>
  decision === 'deny' && note !== null && note.trim() !== '' ? note : null;
