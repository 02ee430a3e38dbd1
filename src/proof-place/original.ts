import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withSnapshotBeside } from '../checkpoints/peek.ts';
import { type Snapshot, takeSnapshot } from '../checkpoints/snapshot.ts';
import { openStore, storeOf } from '../checkpoints/store.ts';
import type { StorePlace } from '../checkpoints/store-git.ts';
import type { StoredTree } from '../checkpoints/stored-tree.ts';
import { readObjects, readTree } from '../checkpoints/tree.ts';
import type { Original } from '../contract/original.ts';
import { passageMode } from '../sandbox/command-user.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import {
  type IgnoredAround,
  ignoredAround,
  NOTHING_AROUND,
} from '../workspace/git/ignored-around.ts';
import { openRepository } from '../workspace/git/repository.ts';
import { ignoredBy } from '../workspace/ignored-paths.ts';
import { keepBase } from './base-tree.ts';
import { changesBetween, type TreeChange } from './tree-changes.ts';

/** The goal's folder for proofs: its original tree, and the place where proof runs. */
export const proofFolder = (home: string, goalId: string): string => join(home, 'proofs', goalId);

/** Where the contents of the original are. */
export const originalStore = (home: string, goalId: string): StorePlace => ({
  folder: join(proofFolder(home, goalId), 'original'),
});

/**
 * Keeps the files of the workspace as they are: all that git tracks, and all that it doesn't ignore.
 * @throws TooLarge, StoreFailed, GitSilent
 */
export async function keepOriginal(
  home: string,
  goalId: string,
  workspace: string,
): Promise<Original> {
  await mkdir(proofFolder(home, goalId), { recursive: true, mode: passageMode() });
  const { tracked, head } = await repositoryOf(workspace);
  const place = originalStore(home, goalId);
  const { commit, leftOut, unread } = await takeSnapshot(place, workspace, tracked);
  return { commit, head, leftOut, unread };
}

/**
 * Keeps a commit as the original, beside the files as they are.
 * @param base its id
 * @throws as `keepOriginal`, BaseRefused
 */
export async function keepBaseOf(
  base: string,
  { home, goalId, workspace }: ProofOf,
): Promise<{ readonly original: Original; readonly start: StoredTree }> {
  const now = await keepOriginal(home, goalId, workspace);
  const start = await readOriginal(home, goalId, now);
  const original = await keepBase(originalStore(home, goalId), workspace, base, start);
  return { original: { ...original, head: base }, start };
}

/** Modes are those that git knows: the workspace has no say in what two commits hold. */
const NO_START: StoredTree = { entries: new Map(), leftOut: [], unread: [] };

/**
 * Keeps two commits: what is judged, and what it is measured against.
 * @throws as `keepOriginal`, BaseRefused
 */
export async function keepCommits(
  { home, goalId, workspace }: ProofOf,
  commits: { readonly base: string; readonly head: string },
): Promise<{ readonly original: Original; readonly head: Original }> {
  await mkdir(proofFolder(home, goalId), { recursive: true, mode: passageMode() });
  const place = originalStore(home, goalId);
  await openStore(place);
  const original = await keepBase(place, workspace, commits.base, NO_START);
  const head = await keepBase(place, workspace, commits.head, NO_START);
  return { original: { ...original, head: commits.base }, head };
}

/** Whose proof it is, and of what. */
interface ProofOf {
  readonly home: string;
  readonly goalId: string;
  readonly workspace: string;
  /** A commit that is judged in place of the workspace's files, kept beside the original. */
  readonly head?: Original | undefined;
}

export const trackedPaths = async (workspace: string): Promise<readonly string[]> =>
  (await repositoryOf(workspace)).tracked;

async function repositoryOf(workspace: string) {
  const repository = await openRepository(workspace);
  if (repository === null) return { tracked: [], head: null };
  try {
    return { tracked: await repository.tracked(), head: repository.head };
  } finally {
    await repository.close();
  }
}

/** @throws StoreFailed when this host does not have it */
export const readOriginal = (
  home: string,
  goalId: string,
  { commit }: Original,
): Promise<StoredTree> => readTree(originalStore(home, goalId), commit);

export interface Comparison {
  /** Holds the contents of both trees. */
  readonly place: StorePlace;
  readonly original: StoredTree;
  /** The workspace as it is. */
  readonly present: StoredTree;
  /** Files that are too large or can't be read, and were neither at the start. */
  readonly unseen: readonly string[];
  /**
   * Without new files that git ignores by the original's own rules, or by those that lie around the
   * workspace.
   */
  readonly changes: readonly TreeChange[];
}

/**
 * Compares the workspace as it is with the original, beside which nothing is stored.
 * @param use `lookAgain` compares it as it is then
 * @throws TooLarge, StoreFailed
 */
export async function withComparison<Result>(
  ground: ProofOf,
  kept: Original,
  use: (comparison: Comparison, lookAgain: () => Promise<Comparison>) => Promise<Result>,
): Promise<Result> {
  const { home, goalId, workspace } = ground;
  const original = await readOriginal(home, goalId, kept);
  if (ground.head !== undefined) return await withCommit(ground, ground.head, kept, original, use);
  const scratch = { folder: join(proofFolder(home, goalId), `look-${randomUUID()}`) };
  const also = [...original.entries.keys()];
  const store = originalStore(home, goalId);
  const beside = { store, later: [storeOf(home, goalId)], scratch, workspace, also };
  return await withSnapshotBeside(beside, async (place, first) => {
    const isIgnored = await ignoredInOriginal(place, original, await ignoredAround(workspace));
    const compare = async (snapshot: Snapshot): Promise<Comparison> => {
      const present = await readTree(place, snapshot.commit);
      const changes = changesBetween(original, present).filter(
        ({ path, before }) => before !== null || !isIgnored(path),
      );
      return { place, original, present, unseen: unseenIn(snapshot, kept), changes };
    };
    const comparison = await compare(first);
    return await use(comparison, async () => {
      const snapshot = await takeSnapshot(place, workspace, also);
      return snapshot.commit === first.commit ? comparison : await compare(snapshot);
    });
  });
}

/** A commit stays as it is, and whoever made it chose each file, whatever git would ignore. */
async function withCommit<Result>(
  { home, goalId }: ProofOf,
  head: Original,
  kept: Original,
  original: StoredTree,
  use: (comparison: Comparison, lookAgain: () => Promise<Comparison>) => Promise<Result>,
): Promise<Result> {
  const present = await readOriginal(home, goalId, head);
  const place = originalStore(home, goalId);
  const changes = changesBetween(original, present);
  const comparison = { place, original, present, unseen: unseenIn(head, kept), changes };
  return await use(comparison, async () => comparison);
}

const unseenIn = (
  { leftOut, unread }: Pick<Snapshot, 'leftOut' | 'unread'>,
  kept: Original,
): string[] =>
  [...leftOut, ...unread].filter(
    (path) => !kept.leftOut.includes(path) && !kept.unread.includes(path),
  );

/**
 * What git ignores by the rules of this tree, whatever they are by now, and by those around it.
 */
export async function ignoredInOriginal(
  place: StorePlace,
  { entries }: Pick<StoredTree, 'entries'>,
  around: IgnoredAround | null = null,
): Promise<(path: string) => boolean> {
  const files = [...entries].filter(
    ([path, { kind }]) => kind === 'file' && /(?:^|\/)\.gitignore$/.test(path),
  );
  const texts = await readObjects(
    place,
    files.map(([, { object }]) => object),
  );
  const { prefix, above, outermost } = around ?? NOTHING_AROUND;
  const own = files.map(([path], index) => [`${prefix}${path}`, String(texts[index])] as const);
  const isIgnored = ignoredBy(new Map([...above, ...own]), outermost);
  return (path) => isIgnored(`${prefix}${path}`);
}

/** Removes what the proofs of finished goals left. */
export async function sweepProofs(
  home: string,
  finished: (goalIds: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const goalIds = await readdir(join(home, 'proofs')).catch(() => []);
  for (const goalId of await finished(goalIds)) {
    await removeTree(proofFolder(home, goalId));
  }
}
