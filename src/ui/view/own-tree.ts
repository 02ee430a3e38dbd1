import type { Goal } from '../api/types.ts';
import { quoted } from './shell-words.ts';

export interface TreeStep {
  readonly what: string;
  readonly command: string;
}

export interface OwnTree {
  readonly branch: string;
  /** The place of the work, in one sentence. */
  readonly state: string;
  /** Whether it can be brought into its workspace, once the goal stands still. */
  readonly isApplicable: boolean;
  /** How one gets at the result, in order. */
  readonly steps: readonly TreeStep[];
}

/** A goal's own worktree, and the way from there into the workspace; null = it shares that one. */
export function ownTree(goal: Goal): OwnTree | null {
  const { workspace, goalId, archivedAt } = goal;
  const { mode, branch, path } = workspace;
  if (mode !== 'worktree' || branch === undefined) return null;
  const takeOver = { what: 'Bring it into its workspace', command: `goalkeeper apply ${goalId}` };
  if (archivedAt !== undefined) {
    const state = 'The folder goes with the goal. What was not committed is put on the branch.';
    return { branch, state, isApplicable: true, steps: [takeOver] };
  }
  if (path === '') {
    return {
      branch,
      state: 'It is made from the last commit when the first turn begins.',
      isApplicable: false,
      steps: [],
    };
  }
  return {
    branch,
    state: 'Nothing of it reaches the workspace that it was made from by itself.',
    isApplicable: true,
    steps: [
      { what: 'See what changed', command: `goalkeeper diff ${goalId}` },
      takeOver,
      goal.status === 'complete'
        ? { what: 'Or by hand, in the workspace', command: `git merge ${branch}` }
        : {
            what: `Or by hand: commit what the agent left, then git merge ${branch}`,
            command: `cd ${quoted(path)} && git add -A && git commit`,
          },
    ],
  };
}
