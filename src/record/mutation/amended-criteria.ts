import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';

/**
 * An unchanged criterion keeps its id and baseline; the others are new and unproven.
 *
 * @param newest highest number that an id of the goal ever had
 * @param keyOf equal for criteria that say the same
 */
export function amendCriteria(
  known: readonly TrackedCriterion[],
  wanted: readonly Criterion[],
  newest: number,
  keyOf: (spec: Criterion) => string,
): TrackedCriterion[] {
  const left = [...known];
  let last = newest;
  return wanted.map((spec): TrackedCriterion => {
    const key = keyOf(spec);
    const index = left.findIndex((criterion) => keyOf(criterion.spec) === key);
    const [kept] = index === -1 ? [] : left.splice(index, 1);
    if (kept !== undefined) return kept;
    last += 1;
    return unprovenCriterion(last, spec, 'caller');
  });
}

export const unprovenCriterion = (
  number: number,
  spec: Criterion,
  origin: TrackedCriterion['origin'],
): TrackedCriterion => ({
  criterionId: `c${number}`,
  spec,
  state: 'unmet',
  baseline: 'not_run',
  origin,
  receipts: [],
});
