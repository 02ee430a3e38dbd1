import { createHash } from 'node:crypto';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  statfs,
  symlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServiceUser } from '../service-user.ts';
import { BackupError } from './backup-format.ts';

/** A file that was copied: its path below the root, its size and what it holds. */
export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Trees {
  readonly from: string;
  readonly to: string;
  /** By the path below `from`; a folder that is left out is not entered. */
  readonly isKept: (path: string) => boolean;
  /** Who owns what is made; absent = whoever owned it, where root copies. */
  readonly owner?: ServiceUser | undefined;
  /** Ends it between two files. */
  readonly signal: AbortSignal;
  /** Is this file what it has to be? Throws where it isn't. */
  readonly check?: (file: CopiedFile) => void;
}

/**
 * Copies a tree file by file, each on its disk before the next: links as links, with modes, times and
 * owners. What goes while it is copied is left out; sockets and the like are.
 */
export async function* copyTree(trees: Trees, below = ''): AsyncGenerator<CopiedFile> {
  const { from, to, isKept, signal } = trees;
  const folder = await lstat(join(from, below));
  await mkdir(join(to, below), { recursive: true, mode: 0o700 });
  for (const name of (await unlessGone(readdir(join(from, below)))) ?? []) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!isKept(path)) continue;
    signal.throwIfAborted();
    const stats = await unlessGone(lstat(join(from, path)));
    if (stats === null) continue;
    if (stats.isDirectory()) yield* copyTree(trees, path);
    else if (stats.isSymbolicLink()) await copyLink(trees, path);
    else if (stats.isFile()) {
      const copied = await unlessGone(copyFile(trees, path, stats.mode));
      if (copied === null) continue;
      trees.check?.(copied);
      await giveTo(trees, path, stats);
      yield copied;
    }
  }
  await chmod(join(to, below), folder.mode & 0o7777);
  await giveTo(trees, below, folder);
}

async function copyLink({ from, to }: Trees, path: string): Promise<void> {
  const target = await unlessGone(readlink(join(from, path)));
  if (target === null) return;
  await symlink(target, join(to, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const PIECE = 1024 * 1024;

async function copyFile({ from, to }: Trees, path: string, mode: number): Promise<CopiedFile> {
  const source = await open(join(from, path), 'r');
  try {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    const target = await open(join(to, path), 'w', 0o600);
    try {
      const digest = createHash('sha256');
      const { size } = await source.stat();
      const piece = Buffer.allocUnsafe(Math.min(PIECE, size + 1));
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(piece, 0, piece.byteLength, null);
        if (bytesRead === 0) break;
        const read = piece.subarray(0, bytesRead);
        digest.update(read);
        await target.writeFile(read);
        bytes += bytesRead;
      }
      await target.chmod(mode & 0o7777);
      await target.sync();
      return { path, bytes, sha256: digest.digest('hex') };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function giveTo(
  { to, owner }: Trees,
  path: string,
  was: { readonly uid: number; readonly gid: number; readonly atime: Date; readonly mtime: Date },
): Promise<void> {
  const place = join(to, path);
  const { uid, gid } = owner ?? was;
  if (process.getuid?.() === 0) await lchown(place, uid, gid);
  await utimes(place, was.atime, was.mtime);
}

async function unlessGone<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Bytes of the files below a folder. */
export async function sizeOf(
  folder: string,
  isKept: (path: string) => boolean,
  below = '',
): Promise<number> {
  let bytes = 0;
  for (const name of (await unlessGone(readdir(join(folder, below)))) ?? []) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!isKept(path)) continue;
    const stats = await unlessGone(lstat(join(folder, path)));
    if (stats?.isDirectory()) bytes += await sizeOf(folder, isKept, path);
    else if (stats?.isFile()) bytes += Math.ceil(stats.size / BLOCK) * BLOCK;
  }
  return bytes;
}

const BLOCK = 4096;
/** For what is written while it is copied, and for folders. */
const SPARE = 64 * 1024 * 1024;

/** @throws BackupError */
export async function assertSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = bytes + SPARE;
  if (bavail * bsize >= needed) return;
  throw new BackupError(
    'space',
    `It needs ${megabytes(needed)} MB, and ${folder} has ${megabytes(bavail * bsize)} MB`,
    'Free some space there, or name another disk.',
  );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);
