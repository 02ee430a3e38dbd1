import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Completion } from '../../../schema/goal.ts';
import type { Decision } from '../../contract/decision.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { isFinding } from './premise.ts';

const MOST_OF_RESULT = 8000;
/** A text that only happens to end the goal is no report. */
const MOST_OF_IMPLICIT_RESULT = 500;

type Decided = Pick<Completion, 'source' | 'verification' | 'result' | 'receipts'>;

/** The part of a completion that its decision says; null where the goal is not complete. */
export function completionBy(decision: Decision, text: string): Decided | null {
  const { outcome, receipts } = decision;
  if (outcome.action !== 'complete') return null;
  const { source, verification } = outcome;
  const isShort = source === 'implicit' && !isFinding(decision);
  const result = text.slice(0, isShort ? MOST_OF_IMPLICIT_RESULT : MOST_OF_RESULT);
  return { source, verification, result, receipts: [...receipts] };
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
