import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../process/sync-folder.ts';

/**
 * Writes a file that is whole and on its disk, or none: it bears its name once all of it is there. It
 * is for its owner alone, and takes the place of one that an earlier try left. Its folder is there: it
 * may be a disk's, and another disk is none.
 */
export async function writeWholeFile(
  path: string,
  lines: AsyncIterable<string>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const folder = dirname(path);
  const partial = `${path}.partial`;
  const digest = createHash('sha256');
  let bytes = 0;
  let written: Stats;
  // What a process that died left under this name is somebody's who may have it open still.
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', 0o600);
  try {
    for await (const line of lines) {
      const piece = Buffer.from(line);
      digest.update(piece);
      bytes += piece.byteLength;
      await file.writeFile(piece);
    }
    await file.sync();
    written = await file.stat();
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  await file.close();
  await rename(partial, path);
  await syncFolder(folder);
  const there = await lstat(path);
  // Somebody else wrote under the same name, or the folder was swapped.
  if (there.ino !== written.ino || there.dev !== written.dev)
    throw new Error(`${path} is not the file that was written`);
  return { bytes, sha256: digest.digest('hex') };
}
