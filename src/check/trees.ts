import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Scope, StoredScope } from '../../schema/scope.ts';
import type { StoredTree } from '../checkpoints/stored-tree.ts';
import type { Original } from '../contract/original.ts';
import { textsOf } from '../evidence/proof/ground.ts';
import { toldScope } from '../evidence/proof/told-scope.ts';
import { keepBaseOf, keepCommits, originalStore, readOriginal } from '../proof-place/original.ts';
import type { ChosenCommits } from './choose-base.ts';

/** The trees of a check, as they are kept for it. */
export interface Trees {
  readonly original: Original;
  /** Undefined = the work tree. */
  readonly head: Original | undefined;
  readonly base: StoredTree;
}

interface Place {
  readonly home: string;
  readonly goalId: string;
  readonly workspace: string;
}

/** @throws TooLarge, StoreFailed, GitSilent, BaseRefused */
export async function keepTrees(place: Place, { base, head }: ChosenCommits): Promise<Trees> {
  const kept =
    head === null
      ? { ...(await keepBaseOf(base, place)), head: undefined }
      : await keepCommits(place, { base, head });
  const { original } = kept;
  return {
    original,
    head: kept.head,
    base: await readOriginal(place.home, place.goalId, original),
  };
}

/** Told from the base alone: nothing of the work says what is work. */
export async function scopeOfTrees(
  { home, goalId }: Place,
  { base }: Trees,
  given: StoredScope,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
): Promise<Scope> {
  const texts = await textsOf(originalStore(home, goalId), base.entries);
  const read = (path: string) =>
    base.entries.get(path)?.kind === 'file' ? (texts.get(path) ?? null) : null;
  return toldScope(given, criteria, { paths: [...base.entries.keys()], read });
}
