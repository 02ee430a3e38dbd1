import type { Dirent, Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { statsOf } from '../process/stats-of.ts';
import { isWithin } from './mounts.ts';
import { lookAt, namesIn, readHeld } from './safe-read.ts';

interface Listing {
  readonly stats: Pick<Stats, 'ino' | 'ctimeMs' | 'mtimeMs'>;
  /** Absolute. */
  readonly folders: readonly string[];
  /** By any case: some file systems don't tell them apart. */
  readonly entries: readonly string[];
  /** Git takes the folder itself for a repository. */
  readonly isRepository: boolean;
}

/** A folder that changed so recently may change again without its times showing it. */
const SETTLED_MS = 50;
const MOST_TREES = 32;
const SLICE = 200;

const trees = new Map<string, Map<string, Listing>>();

/**
 * Folders in which git finds settings for anybody who runs it somewhere in the tree: repositories
 * there, what `.git` files and links name, submodules and worktrees. Absolute and real.
 *
 * @param reach where commands of the goal can write: the tree first, a repository elsewhere
 */
export async function gitPlaces(reach: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const [tree = '', ...repositories] = reach;
  const waiting = [...repositories];
  await walk(tree, async (folder, { entries, isRepository }) => {
    if (isRepository) waiting.push(folder);
    for (const entry of entries) waiting.push(...(await namedBy(join(folder, entry))));
  });
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place) || !reach.some((folder) => isWithin(folder, place as string))) continue;
    found.add(place);
    waiting.push(...(await placesWithin(place)));
  }
  return [...found].sort();
}

/** Submodules lie in `modules`, also below names of several parts; worktrees in `worktrees`. */
async function placesWithin(place: string): Promise<string[]> {
  const inner: string[] = [];
  await walk(join(place, 'modules'), async (folder, { isRepository }) => {
    if (isRepository) inner.push(folder);
  });
  const worktrees = await namesIn(join(place, 'worktrees'));
  const folders = worktrees.filter((entry) => entry.isDirectory());
  return [...inner, ...folders.map(({ name }) => join(place, 'worktrees', name))];
}

async function namedBy(entry: string): Promise<string[]> {
  const stats = await lookAt(entry);
  if (stats === null) return [];
  const real = stats.isSymbolicLink() ? await realpath(entry).catch(() => null) : entry;
  if (real === null) return [];
  if ((await lookAt(real))?.isDirectory()) return [real];
  const named = /^gitdir: (.+?)\s*$/m.exec((await readHeld(real)) ?? '')?.[1];
  if (named === undefined) return [];
  const folder = await realpath(resolve(entry, '..', named)).catch(() => null);
  return folder === null ? [] : [folder];
}

async function walk(
  root: string,
  visit: (folder: string, listing: Listing) => Promise<void>,
): Promise<void> {
  const stats = await lookAt(root);
  if (!stats?.isDirectory()) return;
  const known = listingsOf(root);
  const folders = [root];
  let looked = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const stats = statsOf(folder);
    if (!stats?.isDirectory()) continue;
    // Nearly all folders are known already, so awaiting each of them would only cost time.
    const listing = unchanged(known.get(folder), stats) ?? (await listingOf(folder, stats, known));
    for (const inner of listing.folders) folders.push(inner);
    if (listing.isRepository || listing.entries.length > 0) await visit(folder, listing);
    looked += 1;
    if (looked % SLICE === 0) await new Promise(setImmediate);
  }
}

function listingsOf(root: string): Map<string, Listing> {
  const known = trees.get(root);
  if (known !== undefined) return known;
  if (trees.size >= MOST_TREES) trees.clear();
  const fresh = new Map<string, Listing>();
  trees.set(root, fresh);
  return fresh;
}

/** A folder's own times tell whether names came or went, so an unchanged one costs one stat. */
function unchanged(before: Listing | undefined, stats: Stats): Listing | null {
  const isSame =
    before?.stats.ino === stats.ino &&
    before.stats.ctimeMs === stats.ctimeMs &&
    before.stats.mtimeMs === stats.mtimeMs;
  return isSame ? before : null;
}

async function listingOf(
  folder: string,
  { ino, ctimeMs, mtimeMs }: Stats,
  known: Map<string, Listing>,
): Promise<Listing> {
  const stats = { ino, ctimeMs, mtimeMs };
  const listing = { stats, ...sorted(folder, await namesIn(folder)) };
  if (Date.now() - Math.max(stats.ctimeMs, stats.mtimeMs) > SETTLED_MS) known.set(folder, listing);
  else known.delete(folder);
  return listing;
}

function sorted(folder: string, names: readonly Dirent[]): Omit<Listing, 'stats'> {
  const isGit = (name: string) => name.toLowerCase() === '.git';
  const all = new Set(names.map(({ name }) => name));
  return {
    entries: names.map(({ name }) => name).filter(isGit),
    folders: names
      .filter((entry) => entry.isDirectory() && !isGit(entry.name))
      .map(({ name }) => join(folder, name)),
    isRepository:
      all.has('HEAD') && (all.has('commondir') || (all.has('objects') && all.has('refs'))),
  };
}
