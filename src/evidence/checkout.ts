import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { openRepository } from '../workspace/git/repository.ts';
import { ifSilent } from '../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';

/**
 * A copy of what would be delivered, in a folder outside of the workspace: what git tracks and new
 * files that it doesn't ignore. The folder's name says which process it belongs to.
 */
export async function makeCheckout(workspace: string): Promise<string> {
  const folder = await makeScratch('checkout');
  try {
    for (const path of await deliveredPaths(workspace)) await copyInto(folder, workspace, path);
    return folder;
  } catch (error) {
    await removeScratch(folder);
    throw error;
  }
}

/** Beside it, for all that runs in it. */
export const homeOfCheckout = (checkout: string): string => `${checkout}-home`;

async function deliveredPaths(workspace: string): Promise<readonly string[]> {
  const repository = await openRepository(workspace).catch(ifSilent('silent' as const));
  if (repository === 'silent') return [];
  if (repository === null) return [...(await takeFingerprint(workspace)).keys()];
  try {
    // An empty tree proves nothing.
    return await repository.delivered().catch(ifSilent([]));
  } finally {
    await repository.close();
  }
}

async function copyInto(folder: string, workspace: string, path: string): Promise<void> {
  const [from, to] = [join(workspace, path), join(folder, path)];
  const stats = await lstat(from).catch(() => null);
  if (stats === null) return;
  await mkdir(dirname(to), { recursive: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
}
