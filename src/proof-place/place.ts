import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFailed, type StorePlace } from '../checkpoints/store-git.ts';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';
import { readObjects } from '../checkpoints/tree.ts';
import type { Owner } from '../sandbox/command-user.ts';
import { Slices } from './slices.ts';

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
 * After a kill the folder holds a part of either; the next call makes it whole.
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
  await makeOwn(folder, owner);
  const kept = await keepUntouched(folder, entries, before);
  const slices = new Slices();
  const missing = [...entries].filter(([path]) => !kept.has(path));
  for (let at = 0; at < missing.length; at += FILES_AT_ONCE) {
    const part = missing.slice(at, at + FILES_AT_ONCE);
    const contents = await readObjects(
      store,
      part.map(([, { object }]) => object),
    );
    for (const [index, [path, entry]] of part.entries()) {
      await slices.next();
      write(join(folder, path), entry, contents[index] ?? Buffer.alloc(0), owner);
      kept.set(path, { object: entry.object, mode: entry.mode, stamp: stampOf(folder, path) });
    }
  }
  await keepWritten(folder, kept);
  // A change in the same step of the clock would leave the stamp as it is.
  if (missing.length > 0) await sleep(CLOCK_STEP_MS);
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
    if (stampIfThere(folder, path) !== stamp) touched.push(path);
  }
  return touched;
}

/** Removes all that is not wanted, or not as it was written. */
async function keepUntouched(
  folder: string,
  entries: Entries,
  before: ReadonlyMap<string, Written>,
): Promise<Map<string, Written>> {
  const folders = foldersOf(entries);
  const kept = new Map<string, Written>();
  const slices = new Slices();
  const isUntouched = (path: string): boolean => {
    const [wanted, known] = [entries.get(path), before.get(path)];
    if (wanted === undefined || known === undefined) return false;
    if (known.object !== wanted.object || known.mode !== wanted.mode) return false;
    return stampOf(folder, path) === known.stamp;
  };
  const visit = async (inside: string): Promise<void> => {
    chmodSync(join(folder, inside), 0o755);
    const found = readdirSync(join(folder, inside), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of found) {
      await slices.next();
      const path = join(inside, entry.name.toString());
      const known = before.get(path);
      if (!isUtf8(entry.name))
        await removeTree(Buffer.concat([Buffer.from(join(folder, inside, '/')), entry.name]));
      else if (entry.isDirectory() && folders.has(path)) await visit(path);
      else if (known !== undefined && isUntouched(path)) kept.set(path, known);
      else await removeTree(join(folder, path));
    }
  };
  await visit('');
  return kept;
}

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

/** Also removes folders that a command closed to everybody. */
export async function removeTree(path: string | Buffer): Promise<void> {
  const options = { recursive: true, force: true };
  await rm(path, options).catch(async () => {
    await openFolders(path);
    await rm(path, options);
  });
}

async function openFolders(path: string | Buffer): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory() !== true) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path, { encoding: 'buffer' })) {
    await openFolders(Buffer.concat([Buffer.from(path), Buffer.from('/'), name]));
  }
}

/** A folder of another owner's is made anew. */
async function makeOwn(folder: string, owner: Owner | null): Promise<void> {
  const there = await lstat(folder).catch(() => null);
  if (there !== null && there.uid !== (owner?.uid ?? process.getuid?.())) await removeTree(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) lchownSync(folder, owner.uid, owner.gid);
}

function makeFolders(folder: string, owner: Owner | null): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined || owner === null) return;
  for (let at = folder; at.length >= first.length; at = dirname(at)) {
    lchownSync(at, owner.uid, owner.gid);
  }
}

function write(
  path: string,
  { kind, mode }: TreeEntry,
  content: Buffer,
  owner: Owner | null,
): void {
  makeFolders(dirname(path), owner);
  if (kind === 'link') {
    symlinkSync(content, path);
    if (owner !== null) lchownSync(path, owner.uid, owner.gid);
    return;
  }
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, content);
    if (owner !== null) fchownSync(file, owner.uid, owner.gid);
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

/** The kernel's change time can't be set by a program. */
function stampOf(folder: string, path: string): string {
  const { ino, ctimeNs, size } = lstatSync(join(folder, path), { bigint: true });
  return `${ino} ${ctimeNs} ${size}`;
}

function stampIfThere(folder: string, path: string): string | null {
  try {
    return stampOf(folder, path);
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
