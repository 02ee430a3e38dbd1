import { BaseRefused } from '../contract/base.ts';
import { FOREIGN, isOfOthers } from '../workspace/git/own-repository.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { GitSilent, runGit } from '../workspace/git/run-git.ts';

/** `merge-base:main`: where the workspace's commits left that branch. */
const OF_MERGE = /^merge-base:(?!-)(.+)$/s;

/**
 * The commit that a caller means, as it is now.
 * @param headName what is measured against it
 * @returns its id
 * @throws BaseRefused, GitSilent
 */
export async function baseCommit(
  workspace: string,
  name: string,
  headName = 'HEAD',
): Promise<string> {
  const git = (...args: string[]) => runGit({ folder: workspace }, args);
  const commitOf = async (ref: string): Promise<string | null> => {
    const found = await git('rev-parse', '-q', '--verify', '--end-of-options', `${ref}^{commit}`);
    return found?.trim() || null;
  };
  if ((await git('rev-parse', '--is-inside-work-tree'))?.trim() !== 'true') {
    const why = (await isOfOthers(workspace))
      ? `the workspace ${FOREIGN}, or`
      : 'the workspace is no git repository:';
    throw new BaseRefused(
      'no_repository',
      `${why} leave the base out, and the work is measured against the files as they are`,
    );
  }
  const head = await commitOf(headName);
  if (head === null) {
    throw new BaseRefused(
      'no_commit',
      'the repository has no commit yet: leave the base out, or commit first',
    );
  }
  const branch = OF_MERGE.exec(name)?.[1];
  const named = await commitOf(branch ?? name);
  const isShallow = (await git('rev-parse', '--is-shallow-repository'))?.trim() === 'true';
  if (named === null) {
    throw isShallow
      ? new BaseRefused('shallow_clone', `${UNSHALLOW}: it lacks the commit ${branch ?? name}`)
      : new BaseRefused(
          'unknown_commit',
          `git knows no commit ${branch ?? name}: name a commit, branch or tag of this repository, or fetch it first`,
        );
  }
  if (branch !== undefined) return await mergeBase(workspace, head, { named, branch, isShallow });
  const way = await git('merge-base', '--is-ancestor', named, head);
  if (way !== null) return named;
  throw isShallow
    ? new BaseRefused('shallow_clone', `${UNSHALLOW}: it does not show how ${name} led to HEAD`)
    : new BaseRefused(
        'not_an_ancestor',
        `HEAD does not descend from ${name}, so its own changes would count as undone: name merge-base:${name}`,
      );
}

const UNSHALLOW = 'the repository is a shallow clone (git fetch --unshallow completes it)';

async function mergeBase(
  workspace: string,
  head: string,
  { named, branch, isShallow }: { named: string; branch: string; isShallow: boolean },
): Promise<string> {
  const found = (await runGit({ folder: workspace }, ['merge-base', head, named]))?.trim();
  if (found) return found;
  throw isShallow
    ? new BaseRefused('shallow_clone', `${UNSHALLOW}: it does not show where ${branch} was left`)
    : new BaseRefused('no_merge_base', `HEAD and ${branch} have no commit in common: name another`);
}

/**
 * Refuses a repository in which git changes files on their way into the workspace: its objects are
 * not what lies there.
 * @throws BaseRefused, GitSilent
 */
export async function assertPlainFiles(workspace: string): Promise<void> {
  const top = (await runGit({ folder: workspace }, ['rev-parse', '--show-toplevel']))?.trim();
  if (!top) throw new GitSilent(['rev-parse']);
  const problem = await worktreeProblemOf(top);
  if (problem === null) return;
  const ways = {
    sparse_checkout:
      'the workspace is a sparse checkout, which lacks files of the base: run "git sparse-checkout disable"',
    line_ends:
      'git changes line ends here (core.autocrlf, core.eol, eol=crlf), so every file would differ from the base: take these settings out',
    filters:
      'git changes files on their way (filter, such as LFS; ident; working-tree-encoding), so they differ from the base',
    object_format: 'git keeps this repository by SHA-256, and proofs name files by SHA-1',
    missing_objects:
      'the workspace is a partial clone that lacks files of its last commit, and nothing is fetched here: check them out ("git checkout HEAD -- .")',
  } as const;
  throw new BaseRefused(problem, `${ways[problem]}, or leave the base out`);
}
