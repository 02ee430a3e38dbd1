import { lstat, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';
import { removeTree } from '../sandbox/remove-tree.ts';

/** A folder outside of every workspace; its name says which process it belongs to. */
export async function makeScratch(
  purpose: 'checkout' | 'home' | 'index' | 'report' | 'baseline' | 'agent',
): Promise<string> {
  const owner = nameOfProcess(identifyRunning(process.pid));
  return await mkdtemp(join(tmpdir(), `goalkeeper-${purpose}-${owner}-`));
}

/**
 * Commands wrote there, and one may go on without a sandbox: what it swaps with a link meanwhile
 * costs nothing behind it. A folder that can't be removed (a check may have changed its mode) only
 * takes disk space.
 */
export async function removeScratch(folder: string): Promise<void> {
  await removeTree(folder).catch(() => {});
}

const SCRATCH = /^goalkeeper-(?:checkout|home|index|report|baseline|agent)-/;

/** Removes this user's folders of processes that have ended, where nobody else can swap them. */
export async function sweepScratch(): Promise<void> {
  if (!(await isKeptFromOthers(tmpdir()))) return;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = SCRATCH.test(name) ? processInName(name.replace(SCRATCH, '')) : null;
    if (owner === null || isRunning(owner)) continue;
    const stats = await lstat(join(tmpdir(), name)).catch(() => null);
    // Anybody may make a folder of such a name; then its names are theirs as well.
    if (stats?.isDirectory() && stats.uid === process.getuid?.()) {
      await removeScratch(join(tmpdir(), name));
    }
  }
}

const STICKY = 0o1000;

/** Others change no entry of this user's there. */
async function isKeptFromOthers(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  if (stats === null || ![0, process.getuid?.()].includes(stats.uid)) return false;
  return (stats.mode & 0o022) === 0 || (stats.mode & STICKY) !== 0;
}
