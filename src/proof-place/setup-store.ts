import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';
import type { Setup } from '../proof/setup/setup.ts';
import { passageMode } from '../sandbox/command-user.ts';
import { removeTree } from '../sandbox/remove-tree.ts';

const KEPT_DAYS = 14;

/** Where the results of setups are; no command of a goal sees it, and proof runs can't write there. */
const setupsFolder = (home: string): string => join(home, 'setups');

/** Where the result of this setup is kept. */
export const keptSetup = (home: string, digest: string): string => join(setupsFolder(home), digest);

/**
 * Tells apart what would be installed: by the command, its inputs and the machine.
 *
 * @param at the path that the result is bound to; empty = none
 */
export function setupDigest(
  setup: Pick<Setup, 'tool' | 'folder' | 'command'>,
  inputs: ReadonlyMap<string, TreeEntry>,
  at: string,
): string {
  const files = [...inputs].map(([path, { kind, object, mode }]) => [path, kind, object, mode]);
  const machine = [process.platform, process.arch, process.version];
  const { tool, folder, command } = setup;
  return createHash('sha256')
    .update(JSON.stringify([machine, tool, folder, command, at, files.sort()]))
    .digest('hex');
}

/** The caches that a setup filled, beside the packages of its tree. */
export const homeOfSetup = (kept: string): string => join(kept, '.goalkeeper-home');

/** Has a setup of this digest ended well? */
export const isSetupKept = async (home: string, digest: string): Promise<boolean> =>
  (await lstat(keptSetup(home, digest)).catch(() => null))?.isDirectory() === true;

/** Null unless a setup of this digest has ended well. Whoever asks uses it. */
export async function findSetup(home: string, digest: string): Promise<string | null> {
  const kept = keptSetup(home, digest);
  if (!(await isSetupKept(home, digest))) return null;
  const now = new Date();
  await utimes(kept, now, now);
  return kept;
}

/** A folder of its own for a setup, under the same path in which it is kept afterwards. */
export async function openSetup(home: string, digest: string): Promise<string> {
  const folder = setupsFolder(home);
  await mkdir(folder, { recursive: true, mode: passageMode() });
  return join(folder, `${digest}.${randomUUID()}`);
}

/** If two goals ran the same setup at once, the first one stays. */
export async function keepSetup(home: string, digest: string, from: string): Promise<string> {
  const kept = keptSetup(home, digest);
  await rename(from, kept).catch(async (error: NodeJS.ErrnoException) => {
    await removeTree(from);
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return kept;
}

/** Removes what no proof used for long, and what a dead worker left. */
export async function sweepSetups(home: string): Promise<void> {
  const folder = setupsFolder(home);
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats === null || Date.now() - stats.mtimeMs < KEPT_DAYS * 86_400_000) continue;
    await removeTree(join(folder, name)).catch(() => {});
  }
}
