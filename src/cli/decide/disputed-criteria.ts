import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Dispute } from '../../../schema/dispute.ts';
import type { Goal } from '../../../schema/goal.ts';

/** Keys have one digit, and two answers stand behind the criteria. */
const MOST = 7;

/** The criterion that is disputed, and those that its explanation names beside it. */
export function disputedCriteria(
  { criterionId, explanation }: Pick<Dispute, 'criterionId' | 'explanation'>,
  { criteria }: Pick<Goal, 'criteria'>,
): TrackedCriterion[] {
  const words = new Set(explanation.toLowerCase().match(/[\p{L}\p{N}_-]+/gu));
  const own = criteria.filter((one) => one.criterionId === criterionId);
  const named = criteria.filter(
    (one) => one.criterionId !== criterionId && words.has(one.criterionId.toLowerCase()),
  );
  return [...own, ...named].slice(0, MOST);
}
