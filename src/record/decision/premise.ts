import type { Decision } from '../../contract/decision.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { asksOf } from '../../goal/approvals/approvals.ts';

/**
 * The facts that must still hold when a decision commits:
 *
 * - `nothing`: it holds whatever happened meanwhile.
 * - `no_news`: no person wrote after the slice read the inbox.
 * - `empty_inbox`: no message and no delegate's result is unread.
 * - `evidence`: the inbox is empty, and the evidence is about the present criteria and files.
 */
export type Premise = 'nothing' | 'no_news' | 'empty_inbox' | 'evidence';

export function premiseOf(decision: Decision): Premise {
  const { outcome, yieldsTo } = decision;
  const ends = outcome.action === 'pause' || outcome.action === 'wait';
  if (ends && yieldsTo !== 'nobody') return 'no_news';
  if (isFinding(decision)) return 'empty_inbox';
  // A question to a person must rest on current evidence, too.
  return outcome.action === 'complete' || asksAboutClaim(decision) ? 'evidence' : 'nothing';
}

/** An unchecked result: the text with which a delegate stops. */
export const isFinding = ({ outcome }: Pick<Decision, 'outcome'>): boolean =>
  outcome.action === 'complete' &&
  outcome.source === 'implicit' &&
  outcome.verification === 'supported';

const asksAboutClaim = (decision: Decision): boolean =>
  decision.rule === 'claim' && asksOf(decision).length > 0;

/** Evidence that was not gathered proves nothing, so it is never current. */
export const isCurrent = (
  evidence: Evidence | null,
  present: Pick<Evidence, 'criteriaRevision' | 'writeSeq'>,
): boolean =>
  evidence !== null &&
  evidence.criteriaRevision === present.criteriaRevision &&
  evidence.writeSeq === present.writeSeq;
