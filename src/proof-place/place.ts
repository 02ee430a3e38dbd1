import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFailed, type StorePlace } from '../checkpoints/store-git.ts';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';
import { readObjects } from '../checkpoints/tree.ts';
import { Slices } from '../process/slices.ts';
import type { Owner } from '../sandbox/command-user.ts';
import { type HeldFolder, holdFolder, holdInner, removeEntry } from '../sandbox/held-folder.ts';
import { HeldTree, stampOf } from './held-tree.ts';

/** Contents are read from the store in parts of this many files. */
const FILES_AT_ONCE = 500;
/** The kernel's clock for change times moves in steps of up to 10 ms. */
const CLOCK_STEP_MS = 12;

type Entries = ReadonlyMap<string, TreeEntry>;

/** What the place holds: by path the content, and the stamp of the file that was written. */
interface Written {
  readonly object: string;
  readonly mode: number;
  readonly stamp: string;
}

/**
 * Makes the folder hold exactly these entries. Commands run in it, so nothing in it is trusted: a
 * file stays only if its stamp is the one that it was written with, which no command can set back.
 * After a kill the folder holds a part of either; the next call makes it whole. What else runs there
 * and swaps folders with links leads nothing out of it.
 * @param owner all of it belongs to; null = the worker's user. Given away later, nothing would be as
 *   it was written
 * @throws StoreFailed
 */
export async function layOut(
  folder: string,
  store: StorePlace,
  entries: Entries,
  owner: Owner | null = null,
): Promise<void> {
  assertTree(entries);
  const before = await readWritten(folder);
  await rm(listOf(folder), { force: true });
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const around = hold(await realpath(dirname(folder)));
  try {
    const place = await ownPlace(around, basename(folder), owner);
    try {
      const kept = await keepUntouched(place, entries, { before, owner });
      const isWhole = kept.size === entries.size;
      await fill(new HeldTree(place, around, owner), store, entries, kept);
      await keepWritten(folder, kept);
      // A change in the same step of the clock would leave the stamp as it is.
      if (!isWhole) await sleep(CLOCK_STEP_MS);
    } finally {
      place.close();
    }
  } finally {
    around.close();
  }
}

function hold(path: string): HeldFolder {
  const folder = holdFolder(path);
  if (folder === null) throw new StoreFailed('checkout', `${path} changes while it is used`);
  return folder;
}

/** Writes what is not there as it should be, and adds it to what is. */
async function fill(
  tree: HeldTree,
  store: StorePlace,
  entries: Entries,
  kept: Map<string, Written>,
): Promise<void> {
  const slices = new Slices();
  const missing = [...entries].filter(([path]) => !kept.has(path));
  try {
    for (let at = 0; at < missing.length; at += FILES_AT_ONCE) {
      const part = missing.slice(at, at + FILES_AT_ONCE);
      const objects = part.map(([, { object }]) => object);
      const contents = await readObjects(store, objects);
      for (const [index, [path, entry]] of part.entries()) {
        await slices.next();
        const stamp = tree.write(path, entry, contents[index] ?? Buffer.alloc(0));
        kept.set(path, { object: entry.object, mode: entry.mode, stamp });
      }
    }
  } finally {
    tree.close();
  }
}

/**
 * The files that are no longer as they were written: something changed, moved or removed them since,
 * also where they are put back.
 */
export async function touchedIn(folder: string): Promise<string[]> {
  const slices = new Slices();
  const touched: string[] = [];
  for (const [path, { stamp }] of await readWritten(folder)) {
    await slices.next();
    if (stampIfThere(join(folder, path)) !== stamp) touched.push(path);
  }
  return touched;
}

/** Removes all that is not wanted, or not as it was written. */
async function keepUntouched(
  place: HeldFolder,
  entries: Entries,
  {
    before,
    owner,
  }: { readonly before: ReadonlyMap<string, Written>; readonly owner: Owner | null },
): Promise<Map<string, Written>> {
  const folders = foldersOf(entries);
  const kept = new Map<string, Written>();
  const slices = new Slices();
  const isUntouched = (folder: HeldFolder, name: string, path: string): boolean => {
    const [wanted, known] = [entries.get(path), before.get(path)];
    if (wanted === undefined || known === undefined) return false;
    if (known.object !== wanted.object || known.mode !== wanted.mode) return false;
    return stampIfThere(folder.at(name)) === known.stamp;
  };
  const visit = async (folder: HeldFolder, inside: string): Promise<void> => {
    chmodSync(folder.at(''), 0o755);
    for (const bytes of readdirSync(folder.at(''), { encoding: 'buffer' })) {
      await slices.next();
      const name = isUtf8(bytes) ? bytes.toString() : null;
      const path = name === null ? '' : join(inside, name);
      const known = before.get(path);
      const inner = name !== null && folders.has(path) ? holdInner(folder, name) : null;
      try {
        if (inner !== null && isOwnedBy(inner, owner)) await visit(inner, path);
        else if (name !== null && known !== undefined && isUntouched(folder, name, path))
          kept.set(path, known);
        else await removeEntry(folder, bytes);
      } finally {
        inner?.close();
      }
    }
  };
  await visit(place, '');
  return kept;
}

/** Folders of others that a command moved there are none of the place's. */
const isOwnedBy = (folder: HeldFolder, owner: Owner | null): boolean =>
  folder.stats().uid === (owner?.uid ?? process.getuid?.());

/** With both, a file would be written to where a link leads. */
function assertTree(entries: Entries): void {
  const both = [...foldersOf(entries)].find((folder) => entries.has(folder));
  if (both === undefined) return;
  throw new StoreFailed('checkout', `${both} is a folder and a file or link at once`);
}

export function foldersOf(entries: Entries): Set<string> {
  const folders = new Set<string>();
  for (const path of entries.keys()) {
    for (let at = dirname(path); at !== '.' && !folders.has(at); at = dirname(at)) folders.add(at);
  }
  return folders;
}

/** A folder of another owner's is made anew. */
async function ownPlace(
  around: HeldFolder,
  name: string,
  owner: Owner | null,
): Promise<HeldFolder> {
  const there = holdInner(around, name);
  if (there !== null && isOwnedBy(there, owner)) return there;
  there?.close();
  await removeEntry(around, name);
  return new HeldTree(around, around, owner).makeFolder(name);
}

function stampIfThere(path: string): string | null {
  try {
    return stampOf(lstatSync(path, { bigint: true }));
  } catch {
    return null;
  }
}

/** Where the place notes what was written into it. */
export const listOf = (folder: string): string => `${folder}.json`;

async function readWritten(folder: string): Promise<ReadonlyMap<string, Written>> {
  try {
    return new Map(JSON.parse(await readFile(listOf(folder), 'utf8')) as [string, Written][]);
  } catch {
    // None yet, or a damaged one: then everything is written anew.
    return new Map();
  }
}

async function keepWritten(folder: string, written: ReadonlyMap<string, Written>): Promise<void> {
  const scratch = `${listOf(folder)}.${randomUUID()}`;
  await writeFile(scratch, JSON.stringify([...written]));
  await rename(scratch, listOf(folder));
}
