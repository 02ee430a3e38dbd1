import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, processInName } from '../../process/process-identity.ts';
import { endGroup } from './command-group.ts';
import type { Groups } from './groups.ts';

/** Ends and removes the groups of commands whose helper is gone: a killed helper leaves them. */
export async function sweepGroups({ folder }: Groups): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left = entries.filter((entry) => {
    const helper = entry.isDirectory() ? processInName(entry.name) : null;
    return helper !== null && !isRunning(helper);
  });
  await Promise.all(left.map(({ name }) => endGroup(join(folder, name))));
}
