import type { TrackedCriterion } from '../../schema/criteria.ts';
import { literalGlob } from '../../schema/glob.ts';
import type { Scope, StoredScope } from '../../schema/scope.ts';
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
  /** False for what a scope can't include, such as an installed package. */
  readonly isDeliverable: (change: Change) => boolean;
}

export function partsOf<Change>(
  changes: readonly Change[],
  { scope, criteria, accepted, nameOf, contentOf, isDeliverable }: Rules<Change>,
): ProofParts<Change> {
  const isIn = scopeTest(scope);
  const asked = new Set(askedFor(criteria));
  const isAccepted = (change: Change) => accepted[nameOf(change)] === contentOf(change);
  const isWork = (change: Change) =>
    isAccepted(change) ||
    (isDeliverable(change) && (isIn(nameOf(change)) || asked.has(nameOf(change))));
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

/** The scope that the caller gave, with the files that its criteria ask for. */
export function scopeOfCaller(
  { change = [], keep = [], ...measured }: StoredScope,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
): Scope {
  const given = { change, keep, why: [] };
  return { ...withAsked(given, criteria), ...baseOf(measured), setBy: 'caller' };
}

const baseOf = ({ base, baseName }: Partial<StoredScope>): Pick<Scope, 'base' | 'baseName'> => ({
  base: base ?? null,
  ...(baseName === undefined ? {} : { baseName }),
});

/** Adds the files that criteria ask for to what the host inferred. */
export function scopeOfHost(
  inferred: Readonly<Pick<Scope, 'change' | 'keep' | 'why'>>,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
  measured?: StoredScope | null,
): Scope {
  return { ...withAsked(inferred, criteria), ...baseOf(measured ?? {}), setBy: 'host' };
}

function withAsked(
  { change, keep, why }: Readonly<Pick<Scope, 'change' | 'keep' | 'why'>>,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
): Pick<Scope, 'change' | 'keep' | 'why'> {
  const asked = askedGlobs(criteria).filter((glob) => !change.includes(glob));
  const reasons = asked.map((glob) => ({ glob, reason: ASKED }));
  return {
    change: [...new Set([...change, ...asked])],
    keep: [...new Set(keep)],
    why: [...reasons, ...why],
  };
}

const ASKED = 'a criterion asks for it';

const askedGlobs = (criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] =>
  askedFor(criteria).flatMap((path) => literalGlob(path) ?? []);
