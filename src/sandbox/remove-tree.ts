import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inFolderOf, removeEntry } from './held-folder.ts';
import { hostProgram } from './program-path.ts';

const run = promisify(execFile);

/**
 * Removes a folder that commands filled, also where it is nested deeper than paths are long.
 * Nothing behind a link is removed, whatever is swapped meanwhile: `rm` of the system goes by open
 * folders as well.
 */
export async function removeTree(folder: string): Promise<void> {
  const around = await realpath(dirname(folder)).catch(() => null);
  if (around === null) return;
  const path = join(around, basename(folder));
  await inFolderOf(path, removeEntry).catch(() => run(hostProgram('rm'), ['-rf', '--', path]));
}
