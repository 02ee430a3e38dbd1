import type { Maker, Worktree, WorktreeResult, WorktreesPort } from '../../contract/worktrees.ts';
import { type Executor, type Transaction, withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import type { Store } from '../store.ts';

export const worktreeNameOf = (goalId: string): string => `worktree-${goalId}`;
const branchOf = (goalId: string): string => `goal/${goalId}`;

/**
 * Stores a workspace of the goal's own. The worker makes the tree before
 * the first turn.
 * @returns its name, or null when the origin is no repository
 */
export async function insertWorktree(
  tx: Transaction,
  goalId: string,
  origin: string,
): Promise<string | null> {
  const name = worktreeNameOf(goalId);
  const inserted = await tx`
    INSERT INTO workspace (name, path, host, marker, origin, branch, is_repository)
    SELECT ${name}, '', host, ${name}, name, ${branchOf(goalId)}, true
    FROM workspace WHERE name = ${origin} AND is_repository AND worktree_problem IS NULL
    ON CONFLICT (name) DO NOTHING`;
  return inserted.count > 0 ? name : null;
}

export function createWorktreeStore(
  { sql: db, prisma }: Store,
  options: { readonly onAppended?: (goalId: string) => void } = {},
): WorktreesPort {
  const notify = options.onAppended ?? (() => {});
  return withTypedErrors<WorktreesPort>({
    async find(goalId) {
      const [row] = await readWorktrees(db, goalId, null);
      return row ?? null;
    },

    async tellMade(fence, path, base, uncommitted) {
      const { goalId } = fence;
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const result = { base, commit: base, files: 0, added: 0, removed: 0 };
        const made = await tx`
          UPDATE workspace SET path = ${path}, result = ${tx.json(result)}
          WHERE name = ${worktreeNameOf(goalId)} AND path = ''`;
        if (made.count === 0) return;
        const data = { branch: branchOf(goalId), base, uncommitted };
        await appendEvents(tx, goalId, [{ type: 'worktree.made', data }]);
      });
      notify(goalId);
    },

    async tellResult(fence, result) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await tx`
          UPDATE workspace SET result = ${tx.json(storable(result))}
          WHERE name = ${worktreeNameOf(fence.goalId)}`;
      });
    },

    async withLeftBehind(host, later, work) {
      await db.begin(async (tx) => {
        const [lock] = await tx<[{ isMine: boolean }]>`
          SELECT pg_try_advisory_xact_lock(hashtextextended(${`goalkeeper worktrees ${host}`}, 0))
            AS "isMine"`;
        if (lock.isMine) await work(await readWorktrees(tx, null, { host, later }));
      });
    },

    async makers(goalIds) {
      return db<Maker[]>`
        SELECT g.goal_id AS "goalId", w.path, o.path AS "originPath", j.token,
          g.archived_at IS NOT NULL AS "isOver"
        FROM goal g JOIN journal j USING (goal_id) JOIN workspace w ON w.name = g.workspace_name
          JOIN workspace o ON o.name = w.origin
        WHERE g.goal_id IN (SELECT jsonb_array_elements_text(${db.json([...goalIds])}))`;
    },

    async tellRemoved(name) {
      const where = { name, origin: { not: null } };
      await prisma.workspace.updateMany({ where, data: { path: '' } });
    },
  });
}

/** Reads the worktrees of one goal, or those that nobody needs any more. */
async function readWorktrees(
  sql: Executor,
  goalId: string | null,
  left: { readonly host: string; readonly later: readonly string[] } | null,
): Promise<Worktree[]> {
  return sql<Worktree[]>`
    SELECT g.goal_id AS "goalId", w.name, w.path, w.branch, o.path AS "originPath", w.result,
      g.parent_goal_id IS NOT NULL AS "isDelegate"
    FROM workspace w JOIN goal g ON g.workspace_name = w.name
      JOIN workspace o ON o.name = w.origin
    WHERE ${
      left !== null
        ? sql`w.host = ${left.host} AND w.path <> '' AND g.archived_at IS NOT NULL
            AND w.lease_goal_id IS NULL AND w.lease_check_id IS NULL
            AND w.name NOT IN (SELECT jsonb_array_elements_text(${sql.json([...left.later])}))`
        : sql`g.goal_id = ${goalId}`
    }
    ORDER BY w.created_at LIMIT 100`;
}

/** Branch that a delegate leaves; null when it shares a workspace. */
export async function readBranch(
  sql: Executor,
  goalId: string,
): Promise<{ branch: string; result: WorktreeResult | null } | null> {
  const [row] = await sql<{ branch: string; result: WorktreeResult | null }[]>`
    SELECT branch, result FROM workspace
    WHERE name = ${worktreeNameOf(goalId)} AND branch IS NOT NULL`;
  return row ?? null;
}
