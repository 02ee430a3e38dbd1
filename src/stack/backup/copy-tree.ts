import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  symlink,
  utimes,
} from 'node:fs/promises';
import { syncFolder } from '../../process/sync-folder.ts';
import type { ServiceUser } from '../service-user.ts';
import { BackupError } from './backup-format.ts';
import { type CopiedEntry, digestOfLink, FOLDER } from './backup-list.ts';
import { type BytePath, bytePathOf, pathIn, placeIn, shown } from './byte-paths.ts';

interface Trees {
  readonly from: string;
  readonly to: string;
  /** By the path below `from`; a folder that is left out is not entered. */
  readonly isKept: (path: BytePath) => boolean;
  /** Who owns what is made; absent = whoever owned it, where root copies. */
  readonly owner?: ServiceUser | undefined;
  /** Ends it between two files. */
  readonly signal: AbortSignal;
  /** Is this what it has to be? Throws where it isn't. */
  readonly check?: (entry: CopiedEntry) => void;
  /** Told of what may not be read: true = it is left out. Absent = nothing is. */
  readonly isLeftOut?: (path: BytePath) => boolean;
}

/**
 * Copies a tree file by file, each on its disk before the next: links as links, with modes, times and
 * owners. What goes while it is copied is left out; sockets and the like are. Others may swap any part
 * of it meanwhile: each folder is held open, and no link is followed below the root.
 * @throws BackupError
 */
export async function* copyTree(trees: Trees): AsyncGenerator<CopiedEntry> {
  const root = await open(trees.from, O_RDONLY | O_DIRECTORY);
  try {
    yield* copyFolder(trees, { handle: root, at: trees.from }, '');
  } finally {
    await root.close();
  }
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

interface HeldFolder {
  readonly handle: FileHandle;
  /** Where it was found. */
  readonly at: string | Buffer;
}

/** In the folder itself, wherever its path leads by now. */
const inFolder = ({ handle, at }: HeldFolder, name: BytePath): Buffer =>
  placeIn(process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : at, name);

async function* copyFolder(
  trees: Trees,
  folder: HeldFolder,
  below: BytePath,
): AsyncGenerator<CopiedEntry> {
  const to = placeIn(trees.to, below);
  const stats = await folder.handle.stat();
  const made = { path: below, digest: FOLDER, bytes: null };
  trees.check?.(made);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(inFolder(folder, '.'), { encoding: 'buffer' })) {
    const path = pathIn(below, bytePathOf(name));
    if (trees.isKept(path)) yield* copyEntry(trees, inFolder(folder, bytePathOf(name)), path);
  }
  await syncFolder(to);
  await chmod(to, stats.mode & 0o7777);
  await giveTo(trees, to, stats);
  yield made;
}

async function* copyEntry(trees: Trees, from: Buffer, path: BytePath): AsyncGenerator<CopiedEntry> {
  try {
    for (;;) {
      trees.signal.throwIfAborted();
      const stats = await ofSource(path, lstat(from));
      if (stats === null) return;
      if (yield* copyAs(stats, trees, from, path)) return;
    }
  } catch (error) {
    if (!isUnreadable(error) || trees.isLeftOut?.(path) !== true) throw error;
  }
}

/** @returns whether it still was what it had been. */
async function* copyAs(
  stats: Stats,
  trees: Trees,
  from: Buffer,
  path: BytePath,
): AsyncGenerator<CopiedEntry, boolean> {
  if (stats.isSymbolicLink()) {
    const target = await ofSource(path, readlink(from, 'buffer'));
    if (target !== null) yield await copyLink(trees, target, path);
    return target !== null;
  }
  if (!stats.isDirectory() && !stats.isFile()) return true;
  const kind = stats.isDirectory() ? O_DIRECTORY : O_NONBLOCK;
  const handle = await ofSource(path, open(from, O_RDONLY | O_NOFOLLOW | kind));
  if (handle === null) return false;
  try {
    const opened = await handle.stat();
    if (opened.isDirectory()) yield* copyFolder(trees, { handle, at: from }, path);
    else if (opened.isFile()) yield await copyFile(trees, handle, path);
    else return false;
    return true;
  } finally {
    await handle.close();
  }
}

/** What one finds where something was swapped. */
const OTHER_BY_NOW: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EINVAL'];

/** Null where it is gone, or something else by now. */
async function ofSource<Result>(path: BytePath, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (OTHER_BY_NOW.includes(code)) return null;
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
    throw new BackupError(
      'unreadable',
      `${shown(path)} may not be read`,
      'Run it as the user that serves the home, or let that user read it.',
    );
  }
}

/** Also what lies too deep for a path. */
const isUnreadable = (error: unknown): boolean =>
  ['unreadable', 'ENAMETOOLONG'].includes((error as { code?: string }).code ?? '');

async function copyLink(trees: Trees, target: Buffer, path: BytePath): Promise<CopiedEntry> {
  const copied = { path, digest: digestOfLink(target), bytes: null };
  trees.check?.(copied);
  await symlink(target, placeIn(trees.to, path));
  return copied;
}

const PIECE = 1024 * 1024;

async function copyFile(trees: Trees, source: FileHandle, path: BytePath): Promise<CopiedEntry> {
  const to = placeIn(trees.to, path);
  const stats = await source.stat();
  const target = await open(to, 'wx', 0o600);
  try {
    const digest = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(PIECE, stats.size + 1));
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, piece.byteLength, null);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      digest.update(read);
      await target.writeFile(read);
      bytes += bytesRead;
    }
    const copied = { path, bytes, digest: digest.digest('hex') };
    trees.check?.(copied);
    await target.chmod(stats.mode & 0o7777);
    await giveTo(trees, to, stats);
    await target.sync();
    return copied;
  } finally {
    await target.close();
  }
}

async function giveTo({ owner }: Trees, place: Buffer, was: Stats): Promise<void> {
  const { uid, gid } = owner ?? was;
  if (process.getuid?.() === 0) await lchown(place, uid, gid);
  await utimes(place, was.atime, was.mtime);
}
