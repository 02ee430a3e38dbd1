import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { openRepository } from '../workspace/git/repository.ts';
import { ifSilent } from '../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';

/**
 * Copies what would be delivered to a folder outside of the workspace: tracked files and new files
 * that git doesn't ignore. The folder's name tells its process.
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

/** Home folder beside the checkout, for everything that runs in it. */
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
