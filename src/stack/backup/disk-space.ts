import type { Stats } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import { BackupError } from './backup-format.ts';
import { type BytePath, bytePathOf, pathIn, placeIn, shown } from './byte-paths.ts';

/** What files take on a disk, and the largest of them. */
export interface Size {
  readonly bytes: number;
  readonly largest: readonly { readonly path: string; readonly bytes: number }[];
}

const TOLD = 3;

/** Of the files below a folder that can be seen. */
export async function sizeOf(
  folder: string,
  isKept: (path: BytePath) => boolean = () => true,
): Promise<Size> {
  let bytes = 0;
  let largest: Size['largest'] = [];
  const folders: BytePath[] = [''];
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    const names = await readdir(placeIn(folder, below), { encoding: 'buffer' }).catch(() => []);
    for (const name of names) {
      const path = pathIn(below, bytePathOf(name));
      if (!isKept(path)) continue;
      const stats = await lstat(placeIn(folder, path)).catch(() => null);
      if (stats?.isDirectory()) folders.push(path);
      if (stats?.isFile() !== true) continue;
      const stored = Math.ceil(storedOf(stats) / BLOCK) * BLOCK;
      bytes += stored;
      if (largest.length === TOLD && stored <= (largest.at(-1)?.bytes ?? 0)) continue;
      largest = largestOf([...largest, { path: `${folder}/${shown(path)}`, bytes: stored }]);
    }
  }
  return { bytes, largest };
}

export const together = (...sizes: readonly Size[]): Size => ({
  bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  largest: largestOf(sizes.flatMap(({ largest }) => largest)),
});

const largestOf = (files: Size['largest']): Size['largest'] =>
  [...files].sort((one, other) => other.bytes - one.bytes).slice(0, TOLD);

const SECTOR = 512;
const BLOCK = 4096;

/** Holes take nothing. What is there takes a block, wherever the disk has it. */
export const storedOf = ({ size, blocks }: Stats): number =>
  Math.min(size, Math.max(blocks * SECTOR, BLOCK));

/** For what is written while it is copied, and for folders. */
const SPARE = 64 * 1024 * 1024;

/** @throws BackupError */
export async function assertSpace(folder: string, { bytes, largest }: Size): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = bytes + SPARE;
  if (bavail * bsize >= needed) return;
  const files = largest.map((file) => `${file.path} (${megabytes(file.bytes)} MB)`).join(', ');
  throw new BackupError(
    'space',
    `It needs ${megabytes(needed)} MB, and ${folder} has ${megabytes(bavail * bsize)} MB; the largest files are ${files || 'none'}`,
    'Free some space there, or name another disk.',
  );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);
