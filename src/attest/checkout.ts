import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { GoalProofPredicate, KnownBase } from '../../schema/proof-bundle.ts';
import { TooLarge } from '../checkpoints/look.ts';
import { plainMode, takeSnapshot } from '../checkpoints/snapshot.ts';
import { StoreFailed, type StorePlace } from '../checkpoints/store-git.ts';
import type { StoredTree, TreeEntry } from '../checkpoints/stored-tree.ts';
import { readObjects, readTree } from '../checkpoints/tree.ts';
import { ignoredInOriginal } from '../proof-place/original.ts';
import { gitMode, treeId } from '../proof-place/tree-id.ts';
import { filesOfCommit } from '../workspace/git/commit-files.ts';
import { ignoredAround } from '../workspace/git/ignored-around.ts';
import { pathsIn } from './checkout-paths.ts';
import { BundleRefused, listed } from './refused.ts';
import { assertContents, prepareStore, presentObjects } from './rerun-store.ts';

type Entries = ReadonlyMap<string, TreeEntry>;

/** The trees that a proof names, made again from a checkout. */
export interface Rebuilt {
  /** Holds the checkout's contents. */
  readonly place: StorePlace;
  readonly base: KnownBase;
  readonly original: Entries;
  readonly proven: Entries;
  /** Delivered beside what was proven. */
  readonly besides: readonly string[];
}

interface Checkout {
  readonly folder: string;
  /** A store that nobody else uses; it gets the checkout's files. */
  readonly place: StorePlace;
  /** The bundle itself may lie in it. */
  readonly bundle: string;
}

/**
 * Compares the checkout with the proven tree: it is the same file by file, but for what the proof
 * says that it did without. What git ignores in the original is not looked at.
 * @throws BundleRefused
 */
export async function compareCheckout(
  { folder, place, bundle }: Checkout,
  { proof, base }: GoalProofPredicate,
): Promise<Rebuilt> {
  if ('missing' in base) {
    throw new BundleRefused('base_missing', `its original can't be made again: ${base.missing}`);
  }
  const original = await originalOf(folder, base, proof);
  await prepareStore(place, folder, base);
  const isIgnored = await rulesOf(folder, place, original);
  const worked = proof.files.map(({ path }) => path);
  const also = new Set([...(await pathsIn(folder, isIgnored)), ...original.keys(), ...worked]);
  const present = await snapshotOf(place, folder, also);
  const proven = await withWork(place, original, present, proof);
  const differing = differences(proven, present.entries);
  const besides = differing.filter((path) => proof.beyondScope.includes(path));
  const own = relative(await realpath(folder), await realpath(bundle));
  const strange = [
    ...differing.filter((path) => !besides.includes(path) && also.has(path) && path !== own),
    ...(proven.has(own) && differing.includes(own) ? [own] : []),
    ...[...present.leftOut, ...present.unread].filter((path) => !base.unkept.includes(path)),
  ];
  if (strange.length > 0) {
    const problem = `the checkout is not what was proven: ${listed(strange)}`;
    throw new BundleRefused('workspace_differs', problem);
  }
  return { place, base, original, proven, besides };
}

/** @throws BundleRefused */
async function originalOf(folder: string, base: KnownBase, proof: GoalProof): Promise<Entries> {
  const entries = new Map<string, TreeEntry>();
  if (base.commit !== null) {
    const committed = await filesOfCommit(folder, base.commit);
    if (committed === null) {
      const problem = `the work began at commit ${base.commit}, which is not in ${folder}`;
      throw new BundleRefused('base_missing', problem);
    }
    for (const [path, { mode, object }] of committed) entries.set(path, entryOf(mode, object));
  }
  for (const path of base.gone) entries.delete(path);
  for (const { path, mode, object } of base.files) entries.set(path, entryOf(mode, object));
  assertInside([...entries.keys(), ...proof.files.map(({ path }) => path)]);
  if (treeId(entries) === proof.original) return entries;
  const problem = `what the proof began with is not tree ${proof.original}`;
  throw new BundleRefused('base_differs', problem);
}

const entryOf = (mode: string, object: string): TreeEntry =>
  mode === '120000'
    ? { kind: 'link', mode: 0o755, object }
    : { kind: 'file', mode: plainMode(Number.parseInt(mode, 8)), object };

async function snapshotOf(place: StorePlace, folder: string, also: Iterable<string>) {
  try {
    const { commit } = await takeSnapshot(place, folder, also);
    return await readTree(place, commit);
  } catch (error) {
    if (!(error instanceof TooLarge || error instanceof StoreFailed)) throw error;
    throw new BundleRefused('workspace_differs', `the checkout can't be read: ${error.message}`);
  }
}

/** The original with the proven files, which the checkout has to hold. */
async function withWork(
  place: StorePlace,
  original: Entries,
  present: StoredTree,
  proof: GoalProof,
): Promise<Entries> {
  const entries = new Map(original);
  const wrong: string[] = [];
  for (const { path, sha256, mode } of proof.files) {
    const entry = present.entries.get(path);
    if (sha256 === null) {
      entries.delete(path);
      if (entry !== undefined) wrong.push(`${path} (it was removed)`);
    } else if (entry === undefined) wrong.push(`${path} (it is missing)`);
    else if (gitMode(entry) !== mode) wrong.push(`${path} (its mode is ${gitMode(entry)})`);
    else if ((await hashOf(place, entry)) !== sha256) wrong.push(path);
    else entries.set(path, entryOf(mode, entry.object));
  }
  if (wrong.length > 0) {
    const problem = `files are not those that were proven: ${listed(wrong)}`;
    throw new BundleRefused('workspace_differs', problem);
  }
  if (treeId(entries) === proof.tree) return entries;
  const problem = `the original with the proven files is not tree ${proof.tree}`;
  throw new BundleRefused('inconsistent', problem);
}

async function hashOf(place: StorePlace, { object }: TreeEntry): Promise<string> {
  const [content = ''] = await readObjects(place, [object]);
  return createHash('sha256').update(content).digest('hex');
}

function differences(wanted: Entries, present: Entries): string[] {
  const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined) =>
    one?.object === other?.object && (!one || !other || gitMode(one) === gitMode(other));
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((path) => !isSame(wanted.get(path), present.get(path)))
    .sort();
}

/** Whoever signs it: nothing is laid out beside the place, and git's own folder is no work. */
function assertInside(paths: readonly string[]): void {
  const strange = paths.filter((path) =>
    path.split('/').some((name) => /^(?:\.{0,2}|\.git)$/i.test(name) || name.includes('\0')),
  );
  if (strange.length === 0) return;
  throw new BundleRefused('inconsistent', `no tree has the paths ${listed(strange)}`);
}

/** What git ignores by the rules of the original, as far as their contents are to be had. */
async function rulesOf(
  folder: string,
  place: StorePlace,
  original: Entries,
): Promise<(path: string) => boolean> {
  const rules = [...original].filter(([path]) => basename(path) === '.gitignore');
  const present = await presentObjects(
    place,
    rules.map(([, { object }]) => object),
  );
  const known = rules.filter(([, { object }]) => present.has(object));
  await assertContents(place, new Map(known));
  const around = await ignoredAround(folder);
  return await ignoredInOriginal(place, { entries: new Map(known) }, around);
}
