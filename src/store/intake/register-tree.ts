import { Refusal } from '../../contract/failures.ts';
import type { Tree } from '../../contract/intake.ts';
import type { Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWorkspace } from '../ledger/workspace-seal.ts';

/**
 * The marker tells whether a name that is known belongs to the same tree. All that is sealed of it is
 * what the host just saw, so a row that somebody changed holds again.
 * @throws Refusal
 */
export async function registerTree(tx: Transaction, keys: LedgerKeys, tree: Tree): Promise<void> {
  const row = {
    name: tree.name,
    marker: tree.marker,
    path: tree.path,
    host: tree.host,
    is_repository: tree.isRepository ?? false,
    worktree_problem: tree.worktreeProblem ?? null,
  };
  const { count } = await tx`
    INSERT INTO workspace ${tx(row)}
    ON CONFLICT (name) DO UPDATE SET path = excluded.path, host = excluded.host,
      is_repository = excluded.is_repository, worktree_problem = excluded.worktree_problem,
      branch = NULL, result = NULL
    WHERE workspace.marker = excluded.marker AND workspace.origin IS NULL`;
  if (count === 1) return await sealWorkspace(tx, keys, tree.name);
  throw new Refusal(
    'invalid_request',
    `The workspace name "${tree.name}" belongs to another tree`,
    {
      field: 'workspace.name',
    },
  );
}
