import { stat, statfs } from 'node:fs/promises';
import type { CommandLimits } from '../../../schema/command-limits.ts';

const MEGABYTE = 1024 * 1024;
/** A disk with less than this left takes the record down with it. */
const LAST = { megabytes: 256, files: 20_000 };

/** What a disk can still take; files are null where it sets them no limit of their own. */
interface Room {
  readonly megabytes: number;
  readonly files: number | null;
}

interface Disk {
  readonly folder: string;
  /** As the command began; null = that could not be asked. */
  readonly before: Room | null;
}

/**
 * Looks at the disks on which the folders lie, how much they lost since the first look.
 *
 * @returns asks once; null = the command may go on
 */
export function watchDisks(
  folders: readonly string[],
  limits: Pick<CommandLimits, 'diskMb' | 'diskFiles'>,
): () => Promise<'disk_limit' | 'file_limit' | null> {
  const disks = disksOf(folders);
  return async () => {
    for (const { folder, before } of await disks) {
      const now = await roomIn(folder);
      if (before === null || now === null) continue;
      if (isTooLittle(before.megabytes, now.megabytes, limits.diskMb, LAST.megabytes))
        return 'disk_limit';
      const [had, has] = [before.files ?? 0, now.files ?? 0];
      if (now.files !== null && isTooLittle(had, has, limits.diskFiles, LAST.files))
        return 'file_limit';
    }
    return null;
  };
}

const isTooLittle = (had: number, has: number, limit: number, last: number): boolean =>
  had - has > limit || (has < last && has < had);

/** One folder for each disk. */
async function disksOf(folders: readonly string[]): Promise<Disk[]> {
  const byDevice = new Map<number, string>();
  for (const folder of folders) {
    const device = (await stat(folder).catch(() => null))?.dev;
    if (device !== undefined && !byDevice.has(device)) byDevice.set(device, folder);
  }
  return await Promise.all(
    [...byDevice.values()].map(async (folder) => ({ folder, before: await roomIn(folder) })),
  );
}

async function roomIn(folder: string): Promise<Room | null> {
  const stats = await statfs(folder).catch(() => null);
  if (stats === null) return null;
  const megabytes = (stats.bavail * stats.bsize) / MEGABYTE;
  return { megabytes, files: stats.files === 0 ? null : stats.ffree };
}
