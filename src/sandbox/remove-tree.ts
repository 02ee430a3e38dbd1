import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hostProgram } from './program-path.ts';

const run = promisify(execFile);

/** Removes a folder that commands filled, also where it is nested deeper than paths are long. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error;
    await run(hostProgram('rm'), ['-rf', '--', folder]);
  });
}
