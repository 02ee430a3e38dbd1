import { mkdir, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePlace } from '../checkpoints/store-git.ts';
import type { WorktreeResult } from '../contract/worktrees.ts';
import { giveTo, ownerOf, passageMode } from '../sandbox/command-user.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import { readSmall } from '../sandbox/safe-read.ts';
import { askGit, withoutFilters } from '../workspace/git/run-git.ts';
import { asOwner, WorktreeFailed } from './as-owner.ts';
import { commitTree, countUncommitted } from './commit-tree.ts';

export interface Git {
  (...args: string[]): Promise<string>;
  /** What it is started by. */
  readonly begins: readonly string[];
}

/** Neither hooks nor filters of the repository run. @param further see `asOwner` */
export async function gitIn(folder: string, further: readonly string[] = []): Promise<Git> {
  const begins = await asOwner(folder, further);
  const call = { folder, begins, settings: await withoutFilters(folder) };
  const git = async (...args: string[]) => {
    const answer = await askGit(call, args);
    if ('stdout' in answer) return answer.stdout.trim();
    throw new WorktreeFailed(`git ${args[0]} failed: ${answer.why}`);
  };
  return Object.assign(git, { begins });
}

/** A folder of its own, on no branch yet. What the same attempt left half made is made anew. */
export async function addWorktree(origin: string, path: string, base: string): Promise<void> {
  await removeTree(path);
  await mkdir(path, { recursive: true, mode: passageMode() });
  const owner = await ownerOf(origin);
  if (owner !== null) await giveTo(owner, path);
  const git = await gitIn(origin, [path]);
  await git('worktree', 'add', '-q', '--force', '--detach', path, base);
}

/**
 * The caller holds the tree by the record. A branch that exists is left as it is.
 * @throws WorktreeFailed where git can't make it, as a branch `goal` is in its way
 */
export async function beginBranch(path: string, branch: string, base: string): Promise<void> {
  const git = await gitIn(path);
  const ref = `refs/heads/${branch}`;
  await git('update-ref', ref, base, ABSENT).catch(async (error: Error) => {
    if ((await tipOf(git, branch)) === ABSENT) throw error;
  });
  await git('symbolic-ref', 'HEAD', ref);
}

/**
 * Creates the branch if the tree's maker died before it did. A goal that has left its branch by
 * itself stays where it is.
 */
export async function beginBranchIfLeft(path: string, branch: string, base: string): Promise<void> {
  if (await isOnBranch(path)) return;
  const git = await gitIn(path);
  const head = await commitOf(git, 'HEAD');
  const tip = await git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  if (head === base && ['', base].includes(tip)) await beginBranch(path, branch, base);
}

/** Every turn asks this, so it reads two small files instead of starting git twice. */
async function isOnBranch(path: string): Promise<boolean> {
  const folder = /^gitdir: (.+)$/m.exec((await readSmall(join(path, '.git'))) ?? '')?.[1];
  const head = folder === undefined ? null : await readSmall(join(folder, 'HEAD'));
  return head?.startsWith('ref: ') === true;
}

/** As git writes a ref that must not be there yet. */
const ABSENT = '';

/** The last commit, and how many files are not as it has them. */
export async function headOf(origin: string): Promise<{ head: string; uncommitted: number }> {
  const git = await gitIn(origin);
  const head = await commitOf(git, 'HEAD');
  return { head, uncommitted: await countUncommitted(origin, await repositoryOf(git), head) };
}

/** A commit of the tree as it stands, on no branch. */
export async function commitOfTree(origin: string): Promise<string> {
  const git = await gitIn(origin);
  const parent = await commitOf(git, 'HEAD');
  const message = 'What was not committed when a delegate began';
  return (await commitTree(origin, await repositoryOf(git), { parent, base: parent, message }))
    .commit;
}

const commonOf = (git: Git): Promise<string> =>
  git('rev-parse', '--path-format=absolute', '--git-common-dir');

export const repositoryOf = async (git: Git): Promise<StorePlace> => ({
  folder: await commonOf(git),
  begins: git.begins,
});

interface CommittedWork {
  readonly result: WorktreeResult;
  /** Files that no commit holds: they lie in the worktree alone. */
  readonly leftOut: readonly string[];
}

/** A goal's tree and branch. */
export interface OwnTree {
  readonly goalId: string;
  readonly path: string;
  readonly branch: string;
  /** The commit that it was made from. */
  readonly base: string;
}

/** Commits a worktree's uncommitted files to its branch, even if another one is checked out. */
export async function commitWork(
  { path, branch, base }: Omit<OwnTree, 'goalId'>,
  message: string,
): Promise<CommittedWork> {
  const git = await gitIn(path);
  const place = await repositoryOf(git);
  const { commit, leftOut } = await onBranch(git, { branch, base }, (parent) =>
    commitTree(path, place, { parent, base, message }),
  );
  return { result: { base, commit, ...(await sumOf(git, base, commit)) }, leftOut };
}

/** Of work that a goal left in its tree and did not end with. */
export const leftMessage = (goalId: string): string =>
  `Work of the goal ${goalId} that was not committed\n\nGoal-Id: ${goalId}`;

const HEADS = 'refs/heads/';
const MOST_TRIES = 5;

/**
 * Puts a commit on a goal's branch. Where somebody else moved it meanwhile, the commit is made anew
 * on theirs: two that settle the same tree lose nothing of each other's.
 *
 * @param make given what is checked out; the commit is that one where nothing is to be added
 * @returns what it made, and the branch: a commit on the goal's own is never lost to another
 *   checked-out one, whose work goes beside it
 */
export async function onBranch<Made extends { readonly commit: string }>(
  git: Git,
  { branch, base }: Pick<OwnTree, 'branch' | 'base'>,
  make: (parent: string) => Promise<Made>,
): Promise<Made & { readonly branch: string }> {
  for (let tries = 1; ; tries += 1) {
    // Before what is checked out: a commit of others in between is then noticed as the branch moves.
    const tip = await tipOf(git, branch);
    // A branch that is gone begins anew with all that lies there.
    const parent = await commitOf(git, 'HEAD').catch(() => commitOf(git, base));
    const isOwn = tip === ABSENT || (await isAncestor(git, tip, parent));
    const used = isOwn ? branch : `${branch}-left`;
    const before = isOwn ? tip : await tipOf(git, used);
    const made = await make(parent);
    if (made.commit !== before) await assertHeldBy(git, used);
    try {
      await git('update-ref', `${HEADS}${used}`, made.commit, before);
    } catch (error) {
      if (tries === MOST_TRIES || (await tipOf(git, used)) === before) throw error;
      continue;
    }
    // Only the index is updated, so that further work there finds nothing left to commit.
    if (made.commit !== parent) await git('read-tree', made.commit).catch(() => '');
    return { ...made, branch: used };
  }
}

/**
 * A branch that moves under a checkout leaves there, as changes of its owner's, the way back.
 * @throws WorktreeFailed where a tree beside the goal's own has it checked out, as `--force` lets it
 */
async function assertHeldBy(git: Git, branch: string): Promise<void> {
  const own = await realpath(await git('rev-parse', '--show-toplevel'));
  for (const { path, head } of await checkouts(git)) {
    if (head !== `${HEADS}${branch}`) continue;
    const place = await realpath(path).catch(() => own);
    if (place === own) continue;
    throw new WorktreeFailed(
      `${branch} is checked out in ${path} as well, and would move under it: run "git switch --detach" there, and it goes on by itself`,
    );
  }
}

/** All trees of a repository, and the branch of each; `-z` came with git 2.36. */
async function checkouts(git: Git): Promise<{ path: string; head: string | null }[]> {
  const listed = await git('worktree', 'list', '--porcelain');
  return listed.split('\n\n').flatMap((entry) => {
    const lines = entry.split('\n');
    const of = (name: string) =>
      lines.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1);
    const path = of('worktree');
    return path === undefined ? [] : [{ path, head: of('branch') ?? null }];
  });
}

/** Of what is checked out, or of a name. */
export const commitOf = (git: Git, name: string): Promise<string> =>
  git('rev-parse', '-q', '--verify', `${name}^{commit}`);

/** Empty where it is not there: git then moves it only if it still isn't. */
async function tipOf(git: Git, branch: string): Promise<string> {
  return (await git('for-each-ref', '--format=%(objectname)', `${HEADS}${branch}`)) || ABSENT;
}

/** Whether the one commit is behind the other, or the same. */
export const isAncestor = (git: Git, one: string, other: string): Promise<boolean> =>
  git('merge-base', '--is-ancestor', one, other).then(
    () => true,
    () => false,
  );

/** Files and lines that differ between two commits. */
export async function sumOf(git: Git, base: string, commit: string) {
  const lines = await git(
    'diff-tree',
    '-r',
    '--numstat',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    base,
    commit,
  );
  const rows = lines.split('\n').filter((line) => line !== '');
  const sum = (column: number) =>
    rows.reduce((total, row) => total + (Number(row.split('\t')[column]) || 0), 0);
  return { files: rows.length, added: sum(0), removed: sum(1) };
}

/**
 * Moves the tree away in one step before removing it, because a half removed tree must never be
 * committed as work. Git is asked in the worktree, as its origin may be gone.
 *
 * @param origin is asked instead if the worktree was never complete
 */
export async function removeWorktree(path: string, origin = path): Promise<void> {
  const common = await gitIn(origin).then(commonOf, () => null);
  await rename(path, `${path}.gone`).catch(() => {});
  await removeTree(`${path}.gone`);
  if (common === null) return;
  const git = await gitIn(common);
  // Twice: also the record of one that somebody locked. Its files are gone, and it is ours alone.
  await git('worktree', 'remove', '--force', '--force', path).catch(() => '');
}
