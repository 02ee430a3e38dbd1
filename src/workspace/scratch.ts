import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';

/** A folder outside of every workspace; its name says which process it belongs to. */
export async function makeScratch(
  purpose: 'checkout' | 'home' | 'index' | 'report' | 'baseline' | 'agent',
): Promise<string> {
  const owner = nameOfProcess(identifyRunning(process.pid));
  return await mkdtemp(join(tmpdir(), `goalkeeper-${purpose}-${owner}-`));
}

/** A folder that can't be removed (a check may have changed its mode) only takes disk space. */
export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

const SCRATCH = /^goalkeeper-(?:checkout|home|index|report|baseline|agent)-/;

/** Removes the folders of processes that have ended. */
export async function sweepScratch(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = SCRATCH.test(name) ? processInName(name.replace(SCRATCH, '')) : null;
    if (owner === null || isRunning(owner)) continue;
    await removeScratch(join(tmpdir(), name));
  }
}
