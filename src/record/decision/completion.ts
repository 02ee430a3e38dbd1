import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Completion } from '../../../schema/goal.ts';
import type { Decision } from '../../contract/decision.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { summaryOf, trimmed } from '../summary.ts';
import { isFinding } from './premise.ts';

const MOST_OF_RESULT = 8000;

type Decided = Pick<Completion, 'source' | 'verification' | 'result' | 'receipts' | 'command'>;

/** What the model said as it ended the turn. */
export interface Said {
  readonly text: string;
  /** Of a claim: the command that it names as showing it. */
  readonly command?: string | undefined;
}

/**
 * The part of a completion that its decision says; null where the goal is not complete. A text that
 * only happens to end the goal is no report, so a summary of it has to do.
 */
export function completionBy(decision: Decision, { text, command }: Said): Decided | null {
  const { outcome, receipts } = decision;
  if (outcome.action !== 'complete') return null;
  const { source, verification } = outcome;
  const isShort = source === 'implicit' && !isFinding(decision);
  const result = isShort ? summaryOf(text) : trimmed(text, MOST_OF_RESULT);
  const shown = command === undefined ? {} : { command };
  return { source, verification, result, ...shown, receipts: [...receipts] };
}

/** The criteria as the gate found them; one that it did not look at stays as it was. */
export function judgedCriteria(
  criteria: readonly TrackedCriterion[],
  evidence: Evidence,
): TrackedCriterion[] {
  const found = new Map(evidence.criteria.map((criterion) => [criterion.criterionId, criterion]));
  return criteria.map((criterion) => {
    const seen = found.get(criterion.criterionId);
    if (seen === undefined) return criterion;
    const { state, baseline, reason, receipts } = seen;
    return { ...criterion, state, baseline, reason, receipts: [...receipts] };
  });
}
