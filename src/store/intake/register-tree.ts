import { Refusal } from '../../contract/failures.ts';
import type { Tree } from '../../contract/intake.ts';
import type { Executor } from '../client.ts';

/**
 * The marker tells whether a name that is known belongs to the same tree.
 * @throws Refusal
 */
export async function registerTree(db: Executor, tree: Tree): Promise<void> {
  const row = {
    name: tree.name,
    marker: tree.marker,
    path: tree.path,
    host: tree.host,
    is_repository: tree.isRepository ?? false,
    worktree_problem: tree.worktreeProblem ?? null,
  };
  const { count } = await db`
    INSERT INTO workspace ${db(row)}
    ON CONFLICT (name) DO UPDATE SET path = excluded.path, host = excluded.host,
      is_repository = excluded.is_repository, worktree_problem = excluded.worktree_problem
    WHERE workspace.marker = excluded.marker`;
  if (count === 1) return;
  throw new Refusal(
    'invalid_request',
    `The workspace name "${tree.name}" belongs to another tree`,
    {
      field: 'workspace.name',
    },
  );
}
