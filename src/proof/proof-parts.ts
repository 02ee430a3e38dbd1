import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Scope } from '../../schema/scope.ts';
import { normalisePath } from './evidence.ts';
import { testsByName } from './scope/judge-like.ts';
import { scopeTest } from './scope/scope.ts';

/** What a goal changed, sorted by what it counts as. */
export interface ProofParts<Change> {
  /** In scope, asked for by a criterion, or accepted by a person. */
  readonly work: readonly Change[];
  /** The work without files that judge it by their names, such as tests that the scope names. */
  readonly product: readonly Change[];
  readonly beyond: readonly Change[];
}

interface Rules<Change> {
  readonly scope: Pick<Scope, 'change' | 'keep'>;
  readonly criteria: readonly Pick<TrackedCriterion, 'spec'>[];
  /** Contents that a person accepted, by name; null = it is gone. */
  readonly accepted: Readonly<Record<string, string | null>>;
  readonly nameOf: (change: Change) => string;
  readonly contentOf: (change: Change) => string | null;
}

export function partsOf<Change>(
  changes: readonly Change[],
  { scope, criteria, accepted, nameOf, contentOf }: Rules<Change>,
): ProofParts<Change> {
  const isIn = scopeTest(scope);
  const asked = new Set(askedFor(criteria));
  const isAccepted = (change: Change) => accepted[nameOf(change)] === contentOf(change);
  const isWork = (change: Change) =>
    isIn(nameOf(change)) || asked.has(nameOf(change)) || isAccepted(change);
  const work = changes.filter(isWork);
  return {
    work,
    product: work.filter((change) => isAccepted(change) || !testsByName(nameOf(change))),
    beyond: changes.filter((change) => !isWork(change)),
  };
}

/** A file that a criterion asks for is work, wherever it lies. */
export const askedFor = (criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] =>
  criteria.flatMap(({ spec }) =>
    spec.kind === 'file' && spec.protect === undefined ? [normalisePath(spec.path)] : [],
  );
