import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointsPort } from '../contract/checkpoints.ts';
import type { Fence } from '../contract/fence.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { Worktree, WorktreesPort } from '../contract/worktrees.ts';
import { passageMode } from '../sandbox/command-user.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { WorktreeFailed } from './as-owner.ts';
import { commitOfCheckpoint } from './begin-with.ts';
import { toldLeftOut } from './end-branch.ts';
import {
  addWorktree,
  beginBranch,
  beginBranchIfLeft,
  commitOfTree,
  commitWork,
  headOf,
  removeWorktree,
} from './git.ts';
import { worktreeProblemText } from './worktree-problem.ts';

/** The ports for making worktrees. */
interface WorktreeHost {
  readonly worktrees: WorktreesPort;
  /** What other goals kept, and began with: a worktree may begin with their files. */
  readonly checkpoints: Pick<CheckpointsPort, 'list'>;
  readonly journal: Pick<JournalPort, 'brief'>;
  /** The service's own folder, in which they lie. */
  readonly home: string;
}

/**
 * Makes the goal's own tree before its first turn. If the tree's maker died before it made the
 * branch, only the branch is made.
 * @returns why it could not be made; null if it is there, or none is wanted
 */
export async function ensureWorktree(ports: WorktreeHost, fence: Fence): Promise<string | null> {
  const worktree = await ports.worktrees.find(fence.goalId);
  if (worktree === null) return null;
  const { originPath, branch, isDelegate, result } = worktree;
  if (worktree.path !== '') {
    // A failure here is harmless: the work is committed to the branch when the goal ends.
    if (result !== null)
      await beginBranchIfLeft(worktree.path, branch, result.base).catch(ifFailed);
    return null;
  }
  const folder = join(await realpath(ports.home), 'worktrees');
  // Each attempt has its own path, so a replaced attempt never touches another one's tree.
  const path = join(folder, `${fence.goalId}.${fence.epoch}.${fence.token}`);
  try {
    await mkdir(folder, { recursive: true, mode: passageMode() });
    const problem = await worktreeProblemOf(originPath);
    if (problem !== null) throw new WorktreeFailed(`it ${worktreeProblemText(problem)}`);
    const { head, uncommitted } = await headOf(originPath);
    const base = await baseOf(ports, worktree, head);
    await addWorktree(originPath, path, base);
    await assertPlain(path, originPath);
    const made = { base, uncommitted: isDelegate ? 0 : uncommitted, begins: worktree.begins };
    await ports.worktrees.tellMade(fence, path, made);
    await beginBranch(path, branch, base);
    return null;
  } catch (error) {
    ifFailed(error as Error);
    return `its worktree could not be made from ${originPath}: ${(error as Error).message}`;
  }
}

/** The files that it begins with may have other attributes than those that lie in its origin now. */
async function assertPlain(path: string, originPath: string): Promise<void> {
  const problem = await worktreeProblemOf(path);
  if (problem === null) return;
  await removeWorktree(path, originPath);
  throw new WorktreeFailed(`what it begins with ${worktreeProblemText(problem)}`);
}

async function baseOf(
  ports: WorktreeHost,
  { isDelegate, originPath, begins }: Worktree,
  head: string,
): Promise<string> {
  if (isDelegate) return await commitOfTree(originPath);
  return begins === null ? head : await commitOfCheckpoint(ports, originPath, begins);
}

const OF_GIT: readonly string[] = ['WorktreeFailed', 'GitSilent', 'StoreFailed'];

function ifFailed(error: Error): null {
  if (OF_GIT.includes(error.name)) return null;
  throw error;
}

/** A delegate's work is handed over on its branch, because its parent works in another tree. */
export async function handOverBranch(ports: WorktreeHost, fence: Fence): Promise<void> {
  const worktree = await ports.worktrees.find(fence.goalId);
  if (worktree === null || !worktree.isDelegate || worktree.result === null) return;
  if ((await stat(worktree.path).catch(() => null)) === null) return;
  const { path, branch, result } = worktree;
  const message = `Work of the delegate ${fence.goalId}\n\nGoal-Id: ${fence.goalId}`;
  // A commit that fails now is tried again before the tree is removed.
  const done = await commitWork({ path, branch, base: result.base }, message).catch(ifFailed);
  if (done === null) return;
  await ports.worktrees.tellResult(fence, { ...done.result, ...toldLeftOut(done.leftOut) });
}
