import { Refusal } from '../../contract/failures.ts';
import type { Tree } from '../../contract/intake.ts';
import type { WorktreeProblem } from '../../contract/worktrees.ts';
import { worktreeProblemText } from '../../worktrees/worktree-problem.ts';
import type { Executor } from '../client.ts';

export type WorktreeGround = Pick<Tree, 'isRepository' | 'worktreeProblem'>;

/** As it was registered last. */
export async function worktreeGround(sql: Executor, workspace: string): Promise<WorktreeGround> {
  const [row] = await sql<{ isRepository: boolean; worktreeProblem: WorktreeProblem | null }[]>`
    SELECT is_repository AS "isRepository", worktree_problem AS "worktreeProblem"
    FROM workspace WHERE name = ${workspace}`;
  return row ?? {};
}

/** Why no worktree is made of the workspace. */
export function noWorktree(workspace: string, { worktreeProblem = null }: WorktreeGround): Refusal {
  const field = 'workspace.mode';
  if (worktreeProblem === null) {
    const why = `${workspace} is not the top of a git repository with a commit, so no worktree can be made of it: commit something there first, or leave "mode" out`;
    return new Refusal('invalid_request', why, { field, workspace });
  }
  const why = `${workspace} ${worktreeProblemText(worktreeProblem)}`;
  return new Refusal('invalid_request', why, { field, workspace, problem: worktreeProblem });
}

/** @throws Refusal where none can be made */
export function assertTakesWorktree(workspace: string, ground: WorktreeGround): void {
  const { isRepository = false, worktreeProblem = null } = ground;
  if (!isRepository || worktreeProblem !== null) throw noWorktree(workspace, ground);
}
