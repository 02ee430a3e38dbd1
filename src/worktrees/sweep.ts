import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { GoalEnd, Maker, Worktree, WorktreesPort } from '../contract/worktrees.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import { WorktreeFailed } from './as-owner.ts';
import { endBranch } from './end-branch.ts';
import { commitWork, leftMessage, removeWorktree } from './git.ts';

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** Making a tree takes minutes at most. */
const MADE_AFTER_MS = 60 * 60_000;

interface SweepGround {
  readonly worktrees: WorktreesPort;
  /** Null = the goal is not complete. */
  readonly endOf: (goalId: string) => Promise<GoalEnd | null>;
  readonly host: string;
  readonly home: string;
  readonly log: Pick<Logger, 'warn'>;
}

interface Failed {
  readonly times: number;
  readonly againAt: number;
}

/**
 * Ends the branch of a complete goal, and removes the tree of a cleared one; its branch stays and
 * gets the uncommitted work. A tree where that fails, as its repository is gone, is retried less and
 * less often and blocks no others.
 */
export function createWorktreeSweeper(
  ground: SweepGround,
  clock: () => number = Date.now,
): () => Promise<void> {
  const { worktrees, host, log } = ground;
  const failed = new Map<string, Failed>();
  const settle = async (worktree: Worktree) => {
    const isThere = await isFolder(worktree.path);
    if (worktree.isComplete && worktree.result?.isEnd !== true) {
      const end = isThere ? await ground.endOf(worktree.goalId) : null;
      const base = worktree.result?.base ?? 'HEAD';
      await worktrees.tellEnded(worktree, end && (await endBranch({ ...worktree, base }, end)));
    }
    if (!worktree.isCleared) return;
    await putAway(worktree);
    await worktrees.tellRemoved(worktree.name);
  };
  const asLogged = (goalId: string) => (error: unknown) =>
    log.warn({ err: error, goalId }, 'why a branch has no end could not be told');
  const sweep = async (worktree: Worktree) => {
    const { goalId, name } = worktree;
    try {
      await settle(worktree);
      failed.delete(name);
    } catch (error) {
      const times = (failed.get(name)?.times ?? 0) + 1;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** times);
      failed.set(name, { times, againAt: clock() + pauseMs });
      const again = { times, againInSeconds: pauseMs / 1000 };
      log.warn({ err: error, goalId, ...again }, 'what a goal left in its worktree is not settled');
      const isOpen = worktree.isComplete && worktree.result?.isEnd !== true;
      if (isOpen || worktree.isCleared)
        await worktrees.tellStuck(worktree, (error as Error).message).catch(asLogged(goalId));
    }
  };
  return async () => {
    const later = [...failed].filter(([, { againAt }]) => againAt > clock());
    const names = later.map(([name]) => name);
    await worktrees.withLeftBehind(host, names, async (left) => {
      for (const worktree of left) await sweep(worktree);
    });
    await sweepStrays(ground);
  };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null)) !== null;

async function putAway({ goalId, path, branch, result }: Worktree): Promise<void> {
  if (await isFolder(path)) {
    const { leftOut } = await commitWork(
      { path, branch, base: result?.base ?? 'HEAD' },
      leftMessage(goalId),
    );
    if (leftOut.length > 0) {
      throw new WorktreeFailed(`no commit can hold ${leftOut.join(', ')} of ${path}: take it away`);
    }
  }
  await removeWorktree(path);
}

const OF_ATTEMPT = /^(g-[\w-]+)\.\d+\.(\d+)$/;
const GONE = /\.gone$/;

/** Removes folders that no record names, made by attempts that were replaced meanwhile. */
async function sweepStrays({ worktrees, home, log }: SweepGround): Promise<void> {
  const folder = join(await realpath(home), 'worktrees');
  const names = await readdir(folder).catch(() => []);
  const attempts = names.flatMap((name) => {
    const [, goalId = '', token = ''] = OF_ATTEMPT.exec(name.replace(GONE, '')) ?? [];
    return goalId === '' ? [] : [{ name, path: join(folder, name), goalId, token: Number(token) }];
  });
  if (attempts.length === 0) return;
  const makers = await worktrees.makers([...new Set(attempts.map(({ goalId }) => goalId))]);
  for (const attempt of attempts) {
    const maker = makers.find(({ goalId }) => goalId === attempt.goalId);
    if (maker === undefined || !(await isStray(attempt, maker))) continue;
    try {
      // A folder that was moved away is no worktree of git's any more.
      if (GONE.test(attempt.name)) await removeTree(attempt.path);
      else await removeWorktree(attempt.path, maker.originPath);
    } catch (error) {
      log.warn({ err: error, goalId: attempt.goalId }, 'a left folder could not be removed');
    }
  }
}

const isPlaceOf = ({ goalId, path }: Maker, folder: string): boolean =>
  dirname(path) === folder && OF_ATTEMPT.exec(basename(path))?.[1] === goalId;

/** The tree's maker lost the lease before it recorded the tree, so nobody has worked there. */
async function isStray(
  { name, path, token }: { name: string; path: string; token: number },
  maker: Maker,
): Promise<boolean> {
  if (path === maker.path) return false;
  if (GONE.test(name)) return true;
  // Where the record names a place that no attempt of the goal makes, its tree may be this one.
  if (maker.path !== '' && !isPlaceOf(maker, dirname(path))) return false;
  if (token < maker.token) return true;
  if (!maker.isOver) return false;
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > MADE_AFTER_MS;
}
