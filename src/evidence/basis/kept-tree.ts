import { constants, existsSync } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { BasisPort } from '../../contract/basis.ts';
import { makeScratch } from '../../workspace/scratch.ts';
import type { Tree } from './reading.ts';

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 50_000;

const folderOf = (home: string): string => join(home, 'baselines');

/**
 * Copies the files of a workspace as they are now, for a check that could not run yet.
 * @returns its name, or null where it is too large
 */
export async function keepTree(
  { home, basis }: { readonly home: string; readonly basis: BasisPort },
  goalId: string,
  revision: number,
  tree: Tree,
): Promise<string | null> {
  await forgetFinished(home, basis);
  const name = join(goalId, String(revision));
  const target = join(folderOf(home), name);
  if (existsSync(target)) return name;
  await mkdir(dirname(target), { recursive: true });
  const partial = await mkdtemp(`${target}-`);
  try {
    if (!(await copyTree(tree.workspace, tree.files, partial))) return null;
    await rename(partial, target);
    return name;
  } catch (error) {
    // Another attempt of this goal was faster; before the first write both copies are equal.
    if (existsSync(target)) return name;
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return null;
    throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function forgetFinished(home: string, basis: BasisPort): Promise<void> {
  const kept = await readdir(folderOf(home)).catch(() => []);
  for (const goalId of await basis.finishedGoals(kept)) {
    await rm(join(folderOf(home), goalId), { recursive: true, force: true });
  }
}

/** @returns false where it was too much, with the copy incomplete */
async function copyTree(from: string, files: readonly string[], to: string): Promise<boolean> {
  if (files.length > MAX_FILES) return false;
  let bytes = 0;
  for (const path of files) {
    const stats = await lstat(join(from, path)).catch(() => null);
    if (stats === null) continue;
    bytes += stats.size;
    if (bytes > MAX_BYTES) return false;
    await mkdir(dirname(join(to, path)), { recursive: true });
    if (stats.isSymbolicLink()) await symlink(await readlink(join(from, path)), join(to, path));
    else if (stats.isFile()) {
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    }
  }
  return true;
}

/**
 * Restores the kept files beside the dependencies that are installed now, and removes all of it
 * afterwards. Null when the copy is gone.
 */
export async function withKeptTree<Result>(
  home: string,
  name: string,
  workspace: string,
  use: (path: string) => Promise<Result>,
): Promise<Result | null> {
  const kept = join(folderOf(home), name);
  if (!existsSync(kept)) return null;
  const folder = await realpath(await makeScratch('baseline'));
  try {
    const entries = await readdir(kept, { recursive: true, withFileTypes: true });
    const pathOf = (entry: (typeof entries)[number]) =>
      relative(kept, join(entry.parentPath, entry.name));
    const files = entries.filter((entry) => !entry.isDirectory()).map(pathOf);
    const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf);
    await copyTree(kept, files, folder);
    for (const path of ['', ...folders]) await addDependencies(workspace, folder, path);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Folders in which package managers keep what they install. */
const LINKED = ['.venv', 'venv', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'];
/** Files that name the installed dependencies; without them the tool would not look for any. */
const LOCKS = ['go.mod', 'go.sum', 'Cargo.lock', '.env'];

async function addDependencies(workspace: string, tree: string, folder: string): Promise<void> {
  const [from, to] = [join(workspace, folder), join(tree, folder)];
  for (const name of LINKED) {
    if (existsSync(join(from, name)) && !existsSync(join(to, name))) {
      await symlink(join(from, name), join(to, name));
    }
  }
  for (const name of LOCKS) {
    await copyFile(join(from, name), join(to, name)).catch(() => {});
  }
  if (existsSync(join(from, 'node_modules'))) {
    await mirrorModules(workspace, tree, join(folder, 'node_modules'));
  }
}

/** Links each package; a package of the workspace itself links into the kept tree. */
async function mirrorModules(workspace: string, tree: string, folder: string): Promise<void> {
  await mkdir(join(tree, folder), { recursive: true });
  for (const entry of await readdir(join(workspace, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@') || entry.name === '.bin') {
      await mirrorModules(workspace, tree, path);
    } else if (!entry.name.startsWith('.')) {
      await symlink(await targetOf(workspace, tree, path), join(tree, path)).catch(() => {});
    }
  }
}

async function targetOf(workspace: string, tree: string, path: string): Promise<string> {
  const own = join(workspace, path);
  const stats = await lstat(own);
  if (!stats.isSymbolicLink()) return own;
  const target = resolve(dirname(own), await readlink(own));
  const isOwnPackage =
    target.startsWith(workspace + sep) && !target.includes(`${sep}node_modules${sep}`);
  return isOwnPackage ? join(tree, relative(workspace, target)) : target;
}
