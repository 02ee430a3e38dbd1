import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredTree } from '../checkpoints/tree.ts';
import type { Lent } from '../contract/effects.ts';
import type { ProofGround } from '../contract/original.ts';

type Dependencies = ProofGround['dependencies'];

/** The event loop gets its turn at least this often. */
const SLICE_MS = 10;

/**
 * The folders in which package managers installed something that git ignores: `node_modules` beside
 * any file of the tree, and Python environments.
 */
export async function readDependencies(
  workspace: string,
  tree: Pick<StoredTree, 'entries'>,
): Promise<Dependencies> {
  const found: Record<string, string> = {};
  for (const folder of foldersOf(tree)) {
    for (const name of installedIn(join(workspace, folder))) {
      const at = folder === '' ? name : `${folder}/${name}`;
      if (!tree.entries.has(at)) found[at] = await digestOf(join(workspace, at));
    }
  }
  return found;
}

/**
 * The folders that are as they were: a command can set back a file's times and size, not its change
 * time.
 * @returns null with the first folder that differs
 */
export async function lendUnchanged(
  workspace: string,
  before: Dependencies,
): Promise<{ readonly lent: readonly Lent[] } | { readonly changed: string }> {
  const lent: Lent[] = [];
  for (const [at, digest] of Object.entries(before)) {
    const from = join(workspace, at);
    if ((await digestOf(from)) !== digest) return { changed: at };
    lent.push({ at, from, fresh: namesIn(from).filter(isCache) });
  }
  return { lent };
}

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
      (name === 'node_modules' || lookAt(join(folder, name, 'pyvenv.cfg'))?.isFile() === true),
  );

/** Tools keep caches beside packages, under names with a dot; programs and stores are none. */
const isCache = (name: string): boolean =>
  name.startsWith('.') && !['.bin', '.pnpm', '.package-lock.json', '.modules.yaml'].includes(name);

/** Python reads no bytecode from there, where a check runs (`PYTHONPYCACHEPREFIX`). */
const isBytecode = (name: string): boolean => name === '__pycache__';

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  let sliceEnd = performance.now() + SLICE_MS;
  const folders = [''];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const name of namesIn(join(folder, inside)).sort()) {
      if (isBytecode(name) || (inside === '' && isCache(name))) continue;
      const path = inside === '' ? name : `${inside}/${name}`;
      if (stamp(hash, folder, path)) folders.push(path);
    }
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return hash.digest('hex');
}

/** @returns true for a folder; a folder's own times also change with what is not looked at. */
function stamp(hash: Hash, folder: string, path: string): boolean {
  const absolute = join(folder, path);
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
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

const lookAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });

const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
