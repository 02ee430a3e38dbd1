import type { TrackedCriterion } from '../../schema/criteria.ts';
import { literalGlob } from '../../schema/glob.ts';
import type { Scope, StoredScope } from '../../schema/scope.ts';
import { normalisePath } from './evidence.ts';
import { testsByName } from './scope/judge-like.ts';
import { kindTest, scopeTest } from './scope/scope.ts';

/** What a goal changed, sorted by what it counts as. */
export interface ProofParts<Change> {
  /** In scope, asked for by a criterion, or accepted by a person. */
  readonly work: readonly Change[];
  /** The work without files that judge it by their names, such as tests that the scope names. */
  readonly product: readonly Change[];
  readonly beyond: readonly Change[];
}

interface Rules<Change> {
  readonly scope: Pick<Scope, 'change' | 'keep' | 'why'>;
  /** The files that were there at the start. */
  readonly original: Iterable<string>;
  readonly criteria: readonly Pick<TrackedCriterion, 'spec'>[];
  /** Contents that a person accepted, by name; null = it is gone. */
  readonly accepted: Readonly<Record<string, string | null>>;
  readonly nameOf: (change: Change) => string;
  readonly contentOf: (change: Change) => string | null;
  /** False for what a scope can't include, such as an installed package. */
  readonly isDeliverable: (change: Change) => boolean;
  readonly isNew: (change: Change) => boolean;
}

export function partsOf<Change>(
  changes: readonly Change[],
  rules: Rules<Change>,
): ProofParts<Change> {
  const { scope, criteria, accepted, nameOf, contentOf, isDeliverable, isNew } = rules;
  const isIn = scopeTest(scope);
  const isKnownKind = kindTest(scope, rules.original);
  const asked = new Set(askedFor(criteria));
  const isGiven = scopeTest(withoutAsked(scope));
  const isAccepted = (change: Change) => accepted[nameOf(change)] === contentOf(change);
  const isWork = (change: Change) =>
    isAccepted(change) ||
    (isDeliverable(change) &&
      (asked.has(nameOf(change)) ||
        (isIn(nameOf(change)) && (!isNew(change) || isKnownKind(nameOf(change))))));
  const work = changes.filter(isWork);
  // A file of the original that a criterion asks for may be the judge of another one.
  const isForeign = (change: Change) => !isNew(change) && !isGiven(nameOf(change));
  const isProduct = (change: Change) =>
    isAccepted(change) || !(testsByName(nameOf(change)) || isForeign(change));
  return {
    work,
    product: work.filter(isProduct),
    beyond: changes.filter((change) => !isWork(change)),
  };
}

/** What criteria run. */
export const commandsOf = (criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] =>
  criteria.flatMap(({ spec }) => (spec.kind === 'command' ? [spec.command] : []));

/** A file that a criterion asks for is work, wherever it lies. */
export const askedFor = (criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] =>
  criteria.flatMap(({ spec }) =>
    spec.kind === 'file' && spec.protect === undefined ? [normalisePath(spec.path)] : [],
  );

/**
 * The scope that the caller gave, with the files that its criteria ask for, and without those that
 * judge.
 *
 * @param judges path → why it is kept
 */
export function scopeOfCaller(
  { change = [], keep = [], ...measured }: StoredScope,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
  judges: ReadonlyMap<string, string> = new Map(),
): Scope {
  const kept = [...judges].map(([path, reason]) => ({ glob: literalGlob(path) ?? path, reason }));
  const given = { change, keep: [...keep, ...kept.map(({ glob }) => glob)], why: kept };
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

function withoutAsked({ change, keep, why }: Pick<Scope, 'change' | 'keep' | 'why'>) {
  const asked = new Set(why.flatMap(({ glob, reason }) => (reason === ASKED ? [glob] : [])));
  return { change: change.filter((glob) => !asked.has(glob)), keep };
}

const askedGlobs = (criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] =>
  askedFor(criteria).flatMap((path) => literalGlob(path) ?? []);
