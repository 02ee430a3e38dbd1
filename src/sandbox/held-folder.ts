import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { chmod, lchown, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Slices } from '../process/slices.ts';

/**
 * A folder that is held open. Commands may swap any part of its path meanwhile: names in it are
 * looked up in the folder itself, wherever a path leads by now.
 */
export interface HeldFolder {
  /** Opened without a right to read. */
  readonly descriptor: number;
  /**
   * Where the name is found, also while the folder moves. The last part may be a link. Names that are
   * no text are bytes.
   */
  at<Name extends string | Buffer>(name: Name): Name extends string ? string : Buffer;
  /** Of the folder. */
  stats(): Stats;
  /** Whole numbers, however large. */
  identity(): { readonly dev: bigint; readonly ino: bigint };
  close(): void;
}

/** Node does not name it. Opens a place without reading it, whatever its mode. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_CREAT, O_EXCL, O_WRONLY } = constants;

/** Not there, or no file or folder of the kind that is looked for. */
export const NOTHING_THERE: readonly string[] = [
  ...['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR', 'EINVAL', 'ENAMETOOLONG'],
];

/**
 * Null where there is no folder, where it may not be entered, and where a link is on the way: the
 * path was resolved before, so a link leads elsewhere.
 *
 * @param path absolute and real
 */
export function holdFolder(path: string): HeldFolder | null {
  const folder = holding(path, O_DIRECTORY);
  if (folder === null) return null;
  if (shownPath(folder) === path) return folder;
  folder.close();
  return null;
}

/** Holds a file, a folder or a link itself. Its content is at no name. */
export const holdEntry = (folder: HeldFolder, name: string): HeldFolder | null =>
  holding(folder.at(name), 0);

/** Null where no folder has the name; a link to one is none. */
export const holdInner = (folder: HeldFolder, name: string | Buffer): HeldFolder | null =>
  holding(folder.at(name), O_DIRECTORY);

function holding(path: string | Buffer, kind: number): HeldFolder | null {
  try {
    const descriptor = openSync(path, O_PATH | O_NOFOLLOW | kind);
    const own = `/proc/self/fd/${descriptor}`;
    const at = (name: string | Buffer) =>
      typeof name === 'string' ? join(own, name) : Buffer.concat([Buffer.from(`${own}/`), name]);
    return {
      descriptor,
      at: at as HeldFolder['at'],
      stats: () => fstatSync(descriptor),
      identity: () => fstatSync(descriptor, { bigint: true }),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Errors such as too many open files must not count as a missing entry.
    if (NOTHING_THERE.includes(code) || code === 'EACCES') return null;
    throw error;
  }
}

function shownPath(folder: HeldFolder): string | null {
  try {
    return readlinkSync(folder.at(''));
  } catch {
    return null;
  }
}

/**
 * Tells the file or folder from all others on this machine, as `stat -c %d:%i` does. Null where a
 * link is on the way or at the end, and where nothing is.
 */
export function identityOf(path: string): string | null {
  const folder = holdFolder(dirname(path));
  if (folder === null) return null;
  const entry = holdEntry(folder, basename(path));
  folder.close();
  if (entry === null) return null;
  const { dev, ino } = entry.identity();
  const isLink = entry.stats().isSymbolicLink();
  entry.close();
  return isLink ? null : `${dev}:${ino}`;
}

/** Acts in the folder of the entry. Null where `holdFolder` gives none. */
export async function inFolderOf<Done>(
  path: string,
  act: (folder: HeldFolder, name: string) => Promise<Done>,
): Promise<Done | null> {
  const folder = holdFolder(dirname(path));
  if (folder === null) return null;
  try {
    return await act(folder, basename(path));
  } finally {
    folder.close();
  }
}

/** Changes the mode of the entry itself; of a link, never that of its target. */
export async function changeMode(
  folder: HeldFolder,
  name: string,
  modeOf: (stats: Stats) => number | null,
): Promise<void> {
  const entry = name === '' ? folder : holdEntry(folder, name);
  if (entry === null) return;
  try {
    const stats = entry.stats();
    const mode = stats.isSymbolicLink() ? null : modeOf(stats);
    if (mode !== null) await chmod(entry.at(''), mode);
  } finally {
    if (entry !== folder) entry.close();
  }
}

/** Gives its owner all rights to the folder, where a command took them. */
export const openUpHeld = (folder: HeldFolder): Promise<void> =>
  changeMode(folder, '', ({ mode, uid }) =>
    (mode & 0o700) !== 0o700 && uid === process.getuid?.() ? (mode & 0o777) | 0o700 : null,
  );

/**
 * Puts a new file in place of what has the name, which is no folder. A file that is there is never
 * written to: it may have other names. Root gives the new one to whom the folder belongs to.
 */
export async function replaceFile(
  folder: HeldFolder,
  name: string,
  content: Uint8Array,
): Promise<void> {
  const before = await lstat(folder.at(name)).catch(() => null);
  const scratch = folder.at(`.goalkeeper-${randomUUID().replaceAll('-', '').slice(0, 16)}.tmp`);
  const file = await open(scratch, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(content);
    const { uid, gid } = folder.stats();
    if (process.geteuid?.() === 0) await file.chown(uid, gid);
    await file.chmod(before?.isFile() ? before.mode & 0o666 : 0o644);
    await file.sync();
    await rename(scratch, folder.at(name));
  } catch (error) {
    await unlink(scratch).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Where nothing has the name. Root gives it to whom the folder around it belongs to. */
export async function makeFolder(path: string): Promise<void> {
  await inFolderOf(path, async (folder, name) => {
    await mkdir(folder.at(name));
    const { uid, gid } = folder.stats();
    if (process.geteuid?.() === 0) await lchown(folder.at(name), uid, gid);
  });
}

/**
 * Makes what is to be somebody else's in a folder of theirs: by the time that it is given away, what
 * was made there may be something else, so it is made aside first.
 *
 * @param aside nobody but the host changes what the host makes there; on the same disk
 */
export function makeGiven(
  folder: HeldFolder,
  name: string,
  { aside, uid, gid }: { readonly aside: HeldFolder; readonly uid: number; readonly gid: number },
  make: (at: string) => void,
): void {
  const scratch = aside.at(`.made-${randomUUID()}`);
  make(scratch);
  lchownSync(scratch, uid, gid);
  renameSync(scratch, folder.at(name));
}

/** Each level holds a descriptor. */
const DEEPEST = 64;

/** Removes the entry with all that is in it, and follows no link. @throws */
export async function removeEntry(folder: HeldFolder, name: string | Buffer): Promise<void> {
  if (unlinked(folder, name)) return;
  const inner = holdInner(folder, name);
  if (inner === null) throw new Error('it changes while it is taken away');
  try {
    const slices = new Slices();
    while (await emptyOut(inner, inner, slices, 0)) await slices.next();
  } finally {
    inner.close();
  }
  rmdirSync(folder.at(name));
}

/**
 * @param top gets what is nested too deep, under another name
 * @returns whether it got something
 */
async function emptyOut(
  folder: HeldFolder,
  top: HeldFolder,
  slices: Slices,
  depth: number,
): Promise<boolean> {
  await openUpHeld(folder);
  let hasMoved = false;
  for (const name of readdirSync(folder.at(''), { encoding: 'buffer' })) {
    await slices.next();
    if (unlinked(folder, name)) continue;
    const inner = holdInner(folder, name);
    if (inner === null) throw new Error('it changes while it is taken away');
    try {
      if (depth < DEEPEST) hasMoved = (await emptyOut(inner, top, slices, depth + 1)) || hasMoved;
      else await openUpHeld(inner);
    } finally {
      inner.close();
    }
    if (depth < DEEPEST) rmdirSync(folder.at(name));
    else renameSync(folder.at(name), top.at(`deep-${randomUUID()}`));
    hasMoved ||= depth === DEEPEST;
  }
  return hasMoved;
}

/** False if a folder has the name. */
function unlinked(folder: HeldFolder, name: string | Buffer): boolean {
  try {
    unlinkSync(folder.at(name));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'EISDIR') return false;
    throw error;
  }
}
