import { lstat, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isWithin, type Mount } from './mounts.ts';

/**
 * bwrap creates mount points itself and follows links on the way. Links that the goal's commands
 * may have put into the folders for home and /tmp are removed.
 */
export async function clearTheWay(mounts: readonly Mount[]): Promise<void> {
  for (const base of mounts) {
    if (base.kind !== 'writable' || base.from === undefined || base.from === base.at) continue;
    for (const { at } of mounts) {
      if (at !== base.at && isWithin(base.at, at)) await clear(base.from, relative(base.at, at));
    }
  }
}

async function clear(folder: string, way: string): Promise<void> {
  let path = folder;
  for (const name of way.split('/')) {
    path = join(path, name);
    const stats = await lstat(path).catch(() => null);
    if (stats === null) return;
    if (!stats.isDirectory()) return await rm(path, { force: true });
  }
}
