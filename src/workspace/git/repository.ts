import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeScratch, removeScratch } from '../scratch.ts';
import { GitSilent, runGit, withoutFilters } from './run-git.ts';

/** A look at a repository through an index of the host's own, made from its last commit. */
export interface Repository {
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  /** Tracked files whose content isn't that of the last commit. */
  modified(): Promise<string[]>;
  /** Files that are not committed, without those that a .gitignore of the tree names. */
  untracked(): Promise<string[]>;
  /** Files that differ between a commit (null = none) and the last one. */
  changedSince(commit: string | null): Promise<string[]>;
  /** The files to deliver: tracked files, and new ones that git doesn't ignore. */
  delivered(): Promise<string[]>;
  /** Files of the newest commit, also those that git would ignore otherwise. */
  tracked(): Promise<string[]>;
  close(): Promise<void>;
}

const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=dirty'];

/** Git looks upwards for `.git`: it is not started where there is none. */
export async function isInRepository(workspace: string): Promise<boolean> {
  if (!(await isBelowGit(workspace))) return false;
  const inside = await runGit({ folder: workspace }, ['rev-parse', '--is-inside-work-tree']);
  return inside?.trim() === 'true';
}

async function isBelowGit(workspace: string): Promise<boolean> {
  // Git begins where a link leads to.
  let folder = await realpath(workspace).catch(() => null);
  while (folder !== null) {
    const isThere = await lstat(join(folder, '.git')).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
    );
    if (isThere) return true;
    folder = folder === dirname(folder) ? null : dirname(folder);
  }
  return false;
}

/**
 * Null where there is no repository; paths are relative to the workspace.
 * @throws GitSilent, as all that is asked of it afterwards
 */
export async function openRepository(workspace: string): Promise<Repository | null> {
  if (!(await isInRepository(workspace))) return null;
  const scratch = await makeScratch('index');
  const settings = await withoutFilters(workspace);
  const call = { folder: workspace, index: join(scratch, 'index'), settings };
  const maybe = async (...args: string[]) => (await runGit(call, args)) ?? '';
  const git = async (...args: string[]) => {
    const answer = await runGit(call, args);
    if (answer === null) throw new GitSilent(args);
    return answer;
  };
  const list = async (...args: string[]) =>
    (await git(...args)).split('\0').filter((path) => path !== '');
  const head = (await maybe('rev-parse', '-q', '--verify', 'HEAD^{commit}')).trim() || null;
  const branch = (await maybe('symbolic-ref', '-q', '--short', 'HEAD')).trim() || null;
  await (head === null ? git('read-tree', '--empty') : git('read-tree', head));
  return {
    branch,
    head,
    async modified() {
      // This call fails if files differ, which the next call reports.
      await maybe('update-index', '-q', '--refresh');
      return list('diff-files', '--name-only', '-z', '--relative', ...PLAIN);
    },
    untracked: () => list('ls-files', '-o', '-z', '--exclude-per-directory=.gitignore'),
    async changedSince(commit) {
      const none = (await git('hash-object', '-t', 'tree', '/dev/null')).trim();
      return outsideFirst(
        await list('diff', '--name-only', '-z', ...PLAIN, commit ?? none, head ?? none),
        (await git('rev-parse', '--show-prefix')).trim(),
      );
    },
    tracked: () => list('ls-files', '-c', '-z'),
    delivered: () => list('ls-files', '-c', '-o', '-z', '--exclude-standard'),
    close: () => removeScratch(scratch),
  };
}

/** A workspace may be a folder of its repository: what lies beside it shows as `../`. */
function outsideFirst(paths: readonly string[], prefix: string): string[] {
  const up = '../'.repeat(prefix.split('/').length - 1);
  return paths.map((path) =>
    path.startsWith(prefix) ? path.slice(prefix.length) : `${up}${path}`,
  );
}
