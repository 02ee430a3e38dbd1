import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type {
  CheckedBy,
  Coverage,
  Requirement,
  ShownRequirement,
} from '../../../schema/requirement.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';

type Found = Pick<
  CriterionEvidence,
  'criterionId' | 'state' | 'baseline' | 'isHostChecked' | 'person'
>;

/**
 * Who checked a requirement: the host, where a criterion that is bound to it failed before and
 * holds now; a person, where one approved it or such a criterion. A guard held from the start, so
 * it says nothing about the work.
 *
 * @param approved requirements that a person took as met
 */
export function checkedBy(
  { requirementId, criteria }: Requirement,
  found: readonly Found[],
  approved: ReadonlySet<string>,
): CheckedBy {
  const bound = found.filter(({ criterionId }) => criteria.includes(criterionId));
  const isProven = bound.some(
    ({ state, baseline, isHostChecked }) =>
      isHostChecked && baseline === 'unmet' && state === 'met',
  );
  if (isProven) return 'host';
  const isApproved =
    approved.has(requirementId) || bound.some(({ person }) => person === 'approved');
  return isApproved ? 'person' : 'nobody';
}

/** Kinds whose check can carry a proof; what carried one is known at the end. */
const canProve = (spec: Criterion): boolean =>
  spec.kind === 'file' ||
  spec.kind === 'diagnostics' ||
  (spec.kind === 'sealed' && spec.checks === 'command') ||
  (spec.kind === 'command' && spec.check !== 'receipt');

/** Who is going to check a requirement, as far as it is known before the end. */
export function checkedByPlan(
  { criteria }: Requirement,
  tracked: readonly Pick<TrackedCriterion, 'criterionId' | 'spec' | 'baseline'>[],
): CheckedBy {
  const bound = tracked.filter(({ criterionId }) => criteria.includes(criterionId));
  if (bound.some(({ spec, baseline }) => canProve(spec) && baseline === 'unmet')) return 'host';
  return bound.some(({ spec }) => spec.kind === 'approval') ? 'person' : 'nobody';
}

export function countCoverage(requirements: readonly ShownRequirement[]): Coverage {
  const count = (who: CheckedBy) => requirements.filter(({ by }) => by === who).length;
  const counts = { host: count('host'), person: count('person'), nobody: count('nobody') };
  const late = requirements.filter((one) => one.late === true).length;
  return {
    total: requirements.length,
    ...counts,
    late,
    statement: statementOf(requirements.length, counts, late),
    requirements: [...requirements],
  };
}

const words: Readonly<Record<CheckedBy, string>> = {
  host: 'by the host',
  person: 'by a person',
  nobody: 'by nobody',
};

/** `5 requirements: 3 checked by the host, 1 by a person, 1 by nobody`. */
function statementOf(
  total: number,
  counts: Readonly<Record<CheckedBy, number>>,
  late: number,
): string {
  const parts = (['host', 'person', 'nobody'] as const)
    .filter((who) => counts[who] > 0)
    .map((who, index) => `${counts[who]} ${index === 0 ? 'checked ' : ''}${words[who]}`);
  const after = late === 0 ? '' : `; ${late} named by the model after its first write`;
  return `${total} requirement${total === 1 ? '' : 's'}: ${parts.join(', ')}${after}`;
}
