import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inFolderOf, removeEntry } from './held-folder.ts';

/**
 * Removes a folder that commands filled, also where it is nested deeper than paths are long.
 * Nothing behind a link is removed, whatever is swapped meanwhile.
 */
export async function removeTree(folder: string): Promise<void> {
  const around = await realpath(dirname(folder)).catch(() => null);
  if (around !== null) await inFolderOf(join(around, basename(folder)), removeEntry);
}
