import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StoredTree } from '../checkpoints/stored-tree.ts';
import type { Lent } from '../contract/effects.ts';
import type { ProofGround } from '../contract/original.ts';
import { Slices } from '../process/slices.ts';
import { isTooLong, statsOf } from '../process/stats-of.ts';

type Dependencies = ProofGround['dependencies'];

/**
 * The folders in which package managers installed something that git ignores: `node_modules` beside
 * any file of the tree, and Python environments. What lies in them under a name with a dot has a
 * digest of its own: stores and generated packages, and also caches.
 */
export async function readDependencies(
  workspace: string,
  tree: Pick<StoredTree, 'entries'>,
): Promise<Dependencies> {
  const found: Record<string, string> = {};
  for (const at of installedFolders(workspace, tree)) {
    found[at] = await digestOf(join(workspace, at), isDotFolder);
    for (const dotted of dotFoldersIn(join(workspace, at))) {
      found[`${at}/${dotted}`] = await digestOf(join(workspace, at, dotted));
    }
  }
  return found;
}

/** Folders of installed packages, relative to the root. */
export const installedFolders = (root: string, tree: Pick<StoredTree, 'entries'>): string[] =>
  foldersOf(tree).flatMap((folder) =>
    installedIn(join(root, folder)).map((name) => join(folder, name)),
  );

/** A folder of installed packages as it is now. */
export interface InstalledFolder {
  readonly lent: Lent;
  /** Stands for its content: another installation has another. */
  readonly digest: string;
}

export interface Installed {
  /** As they were at the start. */
  readonly unchanged: readonly InstalledFolder[];
  /** They came or changed since. */
  readonly changed: readonly InstalledFolder[];
}

/**
 * The folders as they are now: a command can set back a file's times and size, not its change time.
 * A folder with a dot that changed is shown empty, as tools expect of a cache.
 */
export async function compareDependencies(
  workspace: string,
  before: Dependencies,
  tree: Pick<StoredTree, 'entries'>,
): Promise<Installed> {
  const now = await readDependencies(workspace, tree);
  const isKept = (path: string) => now[path] === before[path] && !now[path]?.endsWith(UNSEEN);
  const unchanged: InstalledFolder[] = [];
  const changed: InstalledFolder[] = [];
  for (const at of Object.keys(now).filter((path) => !(dirname(path) in now))) {
    const dotted = Object.keys(now).filter((path) => dirname(path) === at);
    const differing = dotted.filter((path) => !isKept(path));
    const fresh = differing.filter(isCache).map((path) => basename(path));
    const open = dotted
      .filter((path) => isCache(path) && !differing.includes(path))
      .map((path) => basename(path));
    const digest = digestOfAll(now, [at, ...dotted]);
    const isSame = isKept(at) && differing.every(isCache);
    const folder = { lent: { at, from: join(workspace, at), fresh, open }, digest };
    (isSame ? unchanged : changed).push(folder);
  }
  return { unchanged, changed };
}

const digestOfAll = (digests: Dependencies, paths: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(paths.filter((path) => !isCache(path)).map((path) => digests[path])))
    .digest('hex');

/** Programs and stores are no caches. */
const isCache = (path: string): boolean =>
  basename(path).startsWith('.') && !PACKAGES.includes(basename(path));

const PACKAGES: readonly string[] = ['.bin', '.pnpm', '.store', '.bun', '.deno'];

function foldersOf({ entries }: Pick<StoredTree, 'entries'>): string[] {
  const folders = new Set(['']);
  for (const path of entries.keys()) {
    for (let at = dirname(path); at !== '.' && !folders.has(at); at = dirname(at)) folders.add(at);
  }
  return [...folders].sort();
}

const installedIn = (folder: string): string[] =>
  namesIn(folder).filter(
    (name) =>
      isFolder(join(folder, name)) &&
      (name === 'node_modules' || statsOf(join(folder, name, 'pyvenv.cfg'))?.isFile() === true),
  );

const isDotFolder = (folder: string, name: string): boolean =>
  name.startsWith('.') && isFolder(join(folder, name));

const dotFoldersIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => isDotFolder(folder, name));

/** Python reads no bytecode from there, where a check runs (`PYTHONPYCACHEPREFIX`). */
const isBytecode = (name: string): boolean => name === '__pycache__';

/** Nobody knows what lies so deep there, though a program that goes down to it reads it. */
const UNSEEN = ':unseen';

async function digestOf(
  folder: string,
  isApart: (folder: string, name: string) => boolean = () => false,
): Promise<string> {
  const hash = createHash('sha256');
  const slices = new Slices();
  let unseen = '';
  const folders = [''];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const name of namesIn(join(folder, inside)).sort()) {
      if (isBytecode(name) || (inside === '' && isApart(folder, name))) continue;
      const path = inside === '' ? name : `${inside}/${name}`;
      if (isTooLong(join(folder, path))) unseen = UNSEEN;
      else if (stamp(hash, folder, path)) folders.push(path);
    }
    await slices.next();
  }
  return hash.digest('hex') + unseen;
}

/** @returns true for a folder; a folder's own times also change with what is not looked at. */
function stamp(hash: Hash, folder: string, path: string): boolean {
  const absolute = join(folder, path);
  const stats = statsOf(absolute, { bigint: true });
  if (stats === undefined) return false;
  if (stats.isDirectory()) {
    hash.update(`${path}\0folder ${stats.mode}\n`);
    return true;
  }
  const target = stats.isSymbolicLink() ? readlinkSync(absolute) : '';
  const { ino, ctimeNs, size, mode } = stats;
  hash.update(`${path}\0${ino} ${ctimeNs} ${size} ${mode} ${target}\n`);
  return false;
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() === true;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
