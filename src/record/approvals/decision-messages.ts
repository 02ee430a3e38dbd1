import type { Approval, ApprovalKind } from '../../../schema/approval.ts';
import type { Criterion } from '../../../schema/criteria.ts';
import { isProposal } from '../../goal/approvals/approvals.ts';
import { describeCriterion } from '../criterion-text.ts';
import { noticeOf } from './approval-text.ts';

export interface DecidedByPerson {
  readonly kind: ApprovalKind;
  readonly decision: 'approve' | 'deny';
  readonly data: Approval['data'];
  readonly note: string | null;
  /** The criterion that a person accepted in place of the proposed one; absent = none. */
  readonly edited?: Criterion | null;
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
  const { edited } = decided;
  const notice =
    kind === 'criterion' && edited != null
      ? `A person changed the criterion that you proposed (${String(data.describes)}), and accepted it as: ${describeCriterion(edited)}. The goal block shows it.`
      : noticeOf(kind, decision, data);
  const words = reasonOf(decided);
  if (isProposal(kind) && notice !== null && words !== null)
    return { notice: `${notice} Their words: ${words}`, words: null };
  return { notice, words: isProposal(kind) || kind === 'tool' ? null : words };
}

/** Only a denial, or a change, has to be explained. */
const reasonOf = ({ decision, note, edited }: DecidedByPerson): string | null =>
  (decision === 'deny' || edited != null) && note !== null && note.trim() !== '' ? note : null;
