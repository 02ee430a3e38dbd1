import { closeSync, constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { openRepository } from '../workspace/git/repository.ts';
import { ifSilent } from '../workspace/git/run-git.ts';
import { PathRefused } from '../workspace/paths.ts';
import { type OpenFile, openResolvedFile } from '../workspace/regular-file.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';

/**
 * Copies what would be delivered to a folder outside of the workspace: tracked files and new files
 * that git doesn't ignore. The folder's name tells its process.
 */
export async function makeCheckout(workspace: string): Promise<string> {
  const folder = await makeScratch('checkout');
  try {
    const root = await realpath(workspace);
    for (const path of await deliveredPaths(workspace)) await copyInto(folder, root, path);
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
  if (stats.isFile()) return await copyFrom(from, to);
  const target = stats.isSymbolicLink() ? await readlink(from).catch(() => null) : null;
  if (target !== null) await symlink(target, to);
}

/** What became a link since is not what would be delivered, and may lead to what only root reads. */
async function copyFrom(from: string, to: string): Promise<void> {
  const file = openOrNull(from);
  if (file === null) return;
  try {
    await copyFile(`/proc/self/fd/${file.descriptor}`, to, constants.COPYFILE_FICLONE);
  } finally {
    closeSync(file.descriptor);
  }
}

function openOrNull(path: string): OpenFile | null {
  try {
    return openResolvedFile(path);
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  }
}
