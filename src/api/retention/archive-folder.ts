import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whoever sets the folder up puts it there: a disk that is not mounted lacks it. */
export const ARCHIVE_MARK = '.goalkeeper-archive';

/** Nothing is archived, and so nothing is removed. */
export class NoArchiveFolder extends Error {
  constructor(folder: string) {
    const mark = join(folder, ARCHIVE_MARK);
    super(
      `the archive ${folder} has no file ${ARCHIVE_MARK}: mount its disk, or, where it is the right folder, run: touch ${mark}`,
    );
    this.name = 'NoArchiveFolder';
  }
}

/** @throws NoArchiveFolder where the folder is not there, or is not the one that was set up */
export async function assertArchiveFolder(folder: string): Promise<void> {
  const mark = await lstat(join(folder, ARCHIVE_MARK)).catch(() => null);
  if (mark?.isFile() !== true) throw new NoArchiveFolder(folder);
}
