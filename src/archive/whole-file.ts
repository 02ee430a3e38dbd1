import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../process/sync-folder.ts';

/**
 * Writes a file that is whole and on its disk, or none: it bears its name once all of it is there. It
 * is for its owner alone, and takes the place of one that an earlier try left.
 */
export async function writeWholeFile(
  path: string,
  lines: AsyncIterable<string>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.partial`;
  const digest = createHash('sha256');
  let bytes = 0;
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
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  await file.close();
  await rename(partial, path);
  await syncFolder(folder);
  return { bytes, sha256: digest.digest('hex') };
}
