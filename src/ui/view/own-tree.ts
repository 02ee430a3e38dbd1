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
  /** How one gets at the result, in order. */
  readonly steps: readonly TreeStep[];
}

/** A goal's own worktree, and the way from there into the workspace; null = it shares that one. */
export function ownTree(goal: Goal): OwnTree | null {
  const { workspace, goalId, archivedAt } = goal;
  const { mode, branch, path, name } = workspace;
  if (mode !== 'worktree' || branch === undefined) return null;
  const takeOver = { what: `Take it over, in ${name}`, command: `git merge ${quoted(branch)}` };
  if (archivedAt !== undefined) {
    const state = 'The folder goes with the goal. What was not committed is put on the branch.';
    return { branch, state, steps: [takeOver] };
  }
  if (path === '') {
    return {
      branch,
      state: 'It is made from the last commit when the first turn begins.',
      steps: [],
    };
  }
  return {
    branch,
    state: `Nothing of it reaches ${name} by itself.`,
    steps: [
      { what: 'See what changed', command: `goalkeeper diff ${goalId}` },
      {
        what: 'Commit what the agent left',
        command: `cd ${quoted(path)} && git add -A && git commit`,
      },
      takeOver,
    ],
  };
}
