import { lstat, realpath, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inFolderOf } from './held-folder.ts';
import { isWithin, type Mount } from './mounts.ts';

/**
 * bwrap creates mount points itself and follows links on the way. Links that the goal's commands
 * may have put into the folders for home and /tmp are removed.
 */
export async function clearTheWay(mounts: readonly Mount[]): Promise<void> {
  for (const base of mounts) {
    if (base.kind !== 'writable' || base.from === undefined || base.from === base.at) continue;
    for (const { at } of mounts) {
      if (at !== base.at && isWithin(base.at, at))
        await clear(await realpath(base.from), relative(base.at, at));
    }
  }
}

async function clear(folder: string, way: string): Promise<void> {
  let path = folder;
  for (const name of way.split('/')) {
    path = join(path, name);
    const isFolder = await inFolderOf(path, async (held) => {
      const stats = await lstat(held.at(name)).catch(() => null);
      if (stats === null || stats.isDirectory()) return stats !== null;
      await rm(held.at(name), { force: true });
      return false;
    });
    if (isFolder !== true) return;
  }
}
