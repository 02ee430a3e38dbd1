import { Refusal } from '../../contract/failures.ts';
import type { WorkspaceReader } from '../../contract/workspace-reads.ts';
import { worktreeProblemText } from '../../worktrees/worktree-problem.ts';
import type { Database } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { TellRefused } from '../ledger/tell-refused.ts';
import {
  ALTERED_WORKSPACE,
  isWorkspaceIntact,
  type SealedWorkspace,
  sealedWorkspace,
} from '../ledger/workspace-seal.ts';
import type { Row } from '../row.ts';
import { readQueues } from '../workspaces/workspace-lease.ts';

type ServedRow = Row<'workspace', 'lease_goal_id' | 'lease_check_id' | 'write_seq'> & {
  readonly workspace: SealedWorkspace;
};

/** Folders of workspaces, for those who open them: a row that somebody else wrote names none. */
export function readWorkspaces(
  db: Database,
  keys: LedgerKeys,
  tell: TellRefused = async () => {},
): WorkspaceReader {
  const readServed = () => db<ServedRow[]>`
    SELECT p.lease_goal_id, p.lease_check_id, p.write_seq, ${sealedWorkspace(db)} AS workspace
    FROM workspace p WHERE p.origin IS NULL ORDER BY p.name`;
  const tellOf = ({ name, path, host }: SealedWorkspace) =>
    tell(`workspace ${name}`, { path, host });
  return {
    async workspaces() {
      const rows = await readServed();
      const queues = await readQueues(db);
      return rows
        .filter(({ workspace }) => isWorkspaceIntact(keys, workspace))
        .map(({ workspace: { name, path, host, worktree_problem: problem }, ...row }) => ({
          ...{ name, path, host, writeSeq: row.write_seq },
          worktreeProblem: problem === null ? null : worktreeProblemText(problem),
          ...{ leaseGoalId: row.lease_goal_id, leaseCheckId: row.lease_check_id },
          queue: queues.get(name) ?? [],
        }));
    },

    async alteredWorkspaces() {
      const rows = await readServed();
      const altered = rows.flatMap(({ workspace }) =>
        isWorkspaceIntact(keys, workspace) ? [] : [workspace],
      );
      for (const workspace of altered) await tellOf(workspace);
      return altered.map(({ name, path }) => ({ name, path, why: ALTERED_WORKSPACE }));
    },

    async folderOf(goalId) {
      const [row] = await db<{ workspace: SealedWorkspace }[]>`
        SELECT ${sealedWorkspace(db)} AS workspace
        FROM goal g JOIN workspace p ON p.name = g.workspace_name WHERE g.goal_id = ${goalId}`;
      const workspace = row?.workspace ?? null;
      if (workspace === null) return null;
      if (isWorkspaceIntact(keys, workspace)) return { path: workspace.path, host: workspace.host };
      await tellOf(workspace);
      const why = `The workspace ${workspace.name}: ${ALTERED_WORKSPACE}.`;
      throw new Refusal('unknown_workspace', why, { field: 'workspace' });
    },
  };
}
