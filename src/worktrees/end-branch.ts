import { treesOf } from '../checkpoints/git-objects.ts';
import type { StorePlace } from '../checkpoints/store-git.ts';
import type { BranchEnd, GoalEnd, WorktreeResult } from '../contract/worktrees.ts';
import { goalCommitMessage } from '../record/goal-commit.ts';
import { isBlob } from './changed-paths.ts';
import { commitTree, trackedIn } from './commit-tree.ts';
import { type Git, gitIn, type OwnTree, onBranch, repositoryOf, sumOf } from './git.ts';
import { unnamedCommit } from './unnamed-commit.ts';

/**
 * Ends the branch of a complete goal in a commit that names goal, level and proof. It holds what was
 * not committed, and nothing where all was: commits that a model made stay as they are. Where
 * nothing was done there is none. A second call makes no second commit.
 *
 * @throws WorktreeFailed, StoreFailed: somebody else moved the branch, or git can't read it
 */
export async function endBranch(
  own: OwnTree,
  end: GoalEnd,
): Promise<BranchEnd & { readonly leftOut: readonly string[] }> {
  const git = await gitIn(own.path);
  const ended = await onBranch(git, own, (parent) => lastCommit(git, own, end, parent));
  const { branch, commit, isProven, leftOut } = ended;
  const { base } = own;
  const result = { base, commit, ...(await sumOf(git, base, commit)), isEnd: true } as const;
  return { branch, isProven, result: { ...result, ...toldLeftOut(leftOut) }, leftOut };
}

async function lastCommit(git: Git, { goalId, path, base }: OwnTree, end: GoalEnd, parent: string) {
  const place = await repositoryOf(git);
  const { commit, leftOut } = await commitTree(path, place, { parent, base, message: goalId });
  const tree = await git('rev-parse', `${commit}^{tree}`);
  const isProven =
    end.proof !== null && (await hasFiles(place, end.proof.tree, { commit, tree, base }));
  const message = messageOf(goalId, end, isProven);
  const isSaid = commit === base || (await saidBy(git, commit)) === message;
  if (commit === parent && isSaid) return { commit, isProven, leftOut };
  const about = { parents: [parent], message } as const;
  return { commit: await unnamedCommit(place, about, wholeTree(tree)), isProven, leftOut };
}

/**
 * Whether a commit has the files of a proven tree and nothing else. A proof has no submodules: the
 * commit may have those of the base, as they were.
 */
async function hasFiles(
  place: StorePlace,
  proven: string,
  { commit, tree, base }: { readonly commit: string; readonly tree: string; readonly base: string },
): Promise<boolean> {
  if (tree === proven) return true;
  const found = await trackedIn(place, commit);
  const links = (entries: typeof found) => [...entries].filter(([, entry]) => !isBlob(entry));
  if (links(found).length === 0) return false;
  const before = JSON.stringify(links(await trackedIn(place, base)));
  if (JSON.stringify(links(found)) !== before) return false;
  return treesOf(new Map([...found].filter(([, entry]) => isBlob(entry)))).root === proven;
}

const TOLD_LEFT_OUT = 20;

/** Of files that no commit holds. */
export const toldLeftOut = (leftOut: readonly string[]): Pick<WorktreeResult, 'leftOut'> =>
  leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, TOLD_LEFT_OUT) };

const messageOf = (
  goalId: string,
  { objective, level, proof }: GoalEnd,
  isProven: boolean,
): string =>
  goalCommitMessage({
    ...{ goalId, objective, level, digest: isProven ? (proof?.digest ?? null) : null },
    ...(proof !== null &&
      !isProven && {
        note: `This tree is not the one that was proven: "goalkeeper pr --local ${goalId}" commits that one.`,
      }),
  });

async function* wholeTree(tree: string): AsyncGenerator<string> {
  yield `M 040000 ${tree} ""\n`;
}

const saidBy = async (git: Git, commit: string): Promise<string> =>
  (await git('log', '-1', '--format=%B', commit)).trim();
