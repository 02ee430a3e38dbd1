import { lstat, readdir, statfs } from 'node:fs/promises';
import { BackupError } from './backup-format.ts';
import { type BytePath, bytePathOf, pathIn, placeIn } from './byte-paths.ts';

/** Bytes of the files below a folder that can be seen. */
export async function sizeOf(
  folder: string,
  isKept: (path: BytePath) => boolean,
  below: BytePath = '',
): Promise<number> {
  let bytes = 0;
  const names = await readdir(placeIn(folder, below), { encoding: 'buffer' }).catch(() => []);
  for (const name of names) {
    const path = pathIn(below, bytePathOf(name));
    if (!isKept(path)) continue;
    const stats = await lstat(placeIn(folder, path)).catch(() => null);
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
