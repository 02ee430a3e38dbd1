import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { commonFolderOf } from '../../sandbox/git-folders.ts';
import { holdEntry, holdFolder } from '../../sandbox/held-folder.ts';
import { isWithin } from '../../sandbox/mounts.ts';
import { readSmall } from '../../sandbox/safe-read.ts';

/**
 * Whose repository git would read from a folder. Commands can write a `.git` that names any
 * repository of the machine, so the host's git reads one that lies in the tree itself or around it,
 * and one elsewhere only where that repository knows the tree as its worktree.
 */
export type FoundRepository =
  | { readonly kind: 'none' }
  | OwnRepository
  | { readonly kind: 'foreign'; readonly top: string };

export interface OwnRepository {
  readonly kind: 'own';
  /** What git keeps. */
  readonly folder: string;
  /** Its tree; null = it has none. */
  readonly top: string | null;
}

/** Said behind the name of a folder whose repository is `foreign`, with the ways out. */
export const FOREIGN =
  'has a .git that leads to a repository elsewhere, which does not know it as its worktree, so nothing there is read: put that repository in the place of .git where it was made by "git init --separate-git-dir", run "git worktree repair" there where the worktree was moved, or name a clone';

/** Git reads nothing at the folder, because what is named there may be anybody's. */
export const isOfOthers = async (folder: string): Promise<boolean> =>
  (await repositoryAt(folder)).kind === 'foreign';

/** From where git begins: where a link leads to. Git looks upwards for `.git`. */
export async function repositoryAt(folder: string): Promise<FoundRepository> {
  const start = await realpath(folder).catch(() => null);
  for (let top = start; top !== null; top = top === dirname(top) ? null : dirname(top)) {
    const entry = kindOf(top, '.git');
    // Git passes by a folder of this name that is no repository.
    const isPassedBy = entry === 'folder' && !(await isRepository(join(top, '.git')));
    if (entry !== 'absent' && !isPassedBy) return await namedBy(top, entry);
    if (await isRepository(top)) {
      return kindOf(top, 'commondir') === 'absent'
        ? { kind: 'own', folder: top, top: null }
        : { kind: 'foreign', top };
    }
  }
  return { kind: 'none' };
}

async function namedBy(top: string, entry: Exclude<EntryKind, 'absent'>): Promise<FoundRepository> {
  const path = join(top, '.git');
  if (entry === 'folder') {
    return kindOf(path, 'commondir') === 'absent'
      ? { kind: 'own', folder: path, top }
      : { kind: 'foreign', top };
  }
  if (entry === 'other') return { kind: 'foreign', top };
  const named = /^gitdir: (.+?)\s*$/.exec((await readSmall(path)) ?? '')?.[1];
  const folder = named === undefined ? null : await realpath(resolve(top, named)).catch(() => null);
  if (folder === null) return { kind: 'foreign', top };
  if ((await commonFolderOf(top, path)) !== null) return { kind: 'own', folder, top };
  // A submodule's lies in the repository around it.
  const isNear = isWithin(treeAround(folder), top) || isWithin(top, folder);
  return isNear && kindOf(folder, 'commondir') === 'absent'
    ? { kind: 'own', folder, top }
    : { kind: 'foreign', top };
}

/** Commands may swap a repository that they made, and never the tree in which it lies. */
export const treeAround = (common: string): string =>
  /^(.+?)\/\.git(?:\/|$)/.exec(common)?.[1] ?? common;

type EntryKind = 'absent' | 'folder' | 'file' | 'other';

/** What has the name in a folder that no link leads to; `other`: a link, or what can't be held. */
function kindOf(folder: string, name: string): EntryKind {
  const held = holdFolder(folder);
  if (held === null) return 'other';
  try {
    const entry = holdEntry(held, name);
    if (entry === null) return 'absent';
    const stats = entry.stats();
    entry.close();
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } finally {
    held.close();
  }
}

async function isRepository(folder: string): Promise<boolean> {
  const kinds = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(join(folder, name)).catch(() => null)),
  );
  return kinds.every((stats) => stats !== null);
}
