import { RecordAltered } from '../../contract/failures.ts';
import type {
  Maker,
  Worktree,
  WorktreeBeginning,
  WorktreeResult,
  WorktreesPort,
} from '../../contract/worktrees.ts';
import { type Executor, type Transaction, withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { withHeldLock } from '../held-lock.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overTeller } from '../ledger/over-goals.ts';
import { tellingOnce } from '../ledger/tell-refused.ts';
import {
  ALTERED_WORKSPACE,
  changingWorkspace,
  isWorkspaceIntact,
  readWorkspace,
  type SealedWorkspace,
  sealedWorkspace,
  sealWorkspace,
} from '../ledger/workspace-seal.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';

export const worktreeNameOf = (goalId: string): string => `worktree-${goalId}`;
const branchOf = (goalId: string): string => `goal/${goalId}`;

/**
 * Stores a workspace of the goal's own. The worker makes the tree before the first turn. Where
 * somebody changed the origin's row it gets no seal, and so the goal does no work.
 * @returns its name, or null when the origin is no repository
 */
export async function insertWorktree(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  origin: string,
  begins: WorktreeBeginning | null = null,
): Promise<string | null> {
  const from = await readWorkspace(tx, origin);
  if (from === null || !from.is_repository || from.worktree_problem !== null) return null;
  const name = worktreeNameOf(goalId);
  const inserted = await tx`
    INSERT INTO workspace (name, path, host, marker, origin, branch, is_repository, result)
    VALUES (${name}, '', ${from.host}, ${name}, ${origin}, ${branchOf(goalId)}, true,
      ${begins === null ? null : tx.json({ begins: { ...begins } })})
    ON CONFLICT (name) DO NOTHING`;
  if (inserted.count === 0) return null;
  if (isWorkspaceIntact(keys, from)) await sealWorkspace(tx, keys, name);
  return name;
}

export function createWorktreeStore(
  { sql: db }: Store,
  options: {
    readonly onAppended?: (goalId: string) => void;
    readonly ledgerKeys: LedgerKeys;
  },
): WorktreesPort {
  const notify = options.onAppended ?? (() => {});
  const keys = options.ledgerKeys;
  const tell = tellingOnce(db, keys);
  const over = overTeller(db, keys);
  const overById = async (sql: Executor, rows: readonly { readonly goalId: string }[]) => {
    const found = await over(sql, [...new Set(rows.map(({ goalId }) => goalId))]);
    return new Map(found.map((goal) => [goal.goalId, goal]));
  };
  /** Whether these rows are the service's own; one that isn't is told of. */
  const areIntact = async (...rows: readonly SealedWorkspace[]): Promise<boolean> => {
    const altered = rows.find((row) => !isWorkspaceIntact(keys, row));
    if (altered === undefined) return true;
    await tell(`workspace ${altered.name}`, { path: altered.path, host: altered.host });
    return false;
  };
  return withTypedErrors<WorktreesPort>({
    async find(goalId) {
      const [row] = await readWorktrees(db, goalId, null);
      if (row === undefined) return null;
      const { workspace, origin, mode } = row;
      // Once the tree is made, its origin may move.
      const used = workspace.path === '' ? [workspace, origin] : [workspace];
      if (await areIntact(...used)) return toWorktree(row);
      throw new RecordAltered(`The worktree of ${goalId}: ${ALTERED_WORKSPACE}.`, mode);
    },

    async tellMade(fence, path, { base, uncommitted, begins: beginning }) {
      const { goalId } = fence;
      const name = worktreeNameOf(goalId);
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const result = { base, commit: base, files: 0, added: 0, removed: 0 };
        const made = await changingWorkspace(
          tx,
          keys,
          name,
          () => tx`
            UPDATE workspace SET path = ${path}, result = ${tx.json(result)}
            WHERE name = ${name} AND path = ''`,
        );
        if (made.count === 0) return;
        const begins = beginning === null ? {} : { from: beginning };
        const data = { branch: branchOf(goalId), base, uncommitted, ...begins };
        await appendEvents(tx, goalId, [{ type: 'worktree.made', data }]);
      });
      notify(goalId);
    },

    async tellResult(fence, result) {
      const name = worktreeNameOf(fence.goalId);
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await changingWorkspace(
          tx,
          keys,
          name,
          () => tx`
            UPDATE workspace SET result = ${tx.json(storable(result))} WHERE name = ${name}`,
        );
      });
    },

    async withLeftBehind(host, later, work) {
      await withHeldLock(db, `goalkeeper worktrees ${host}`, async (tx) => {
        const rows = await readWorktrees(tx, null, { host, later });
        const left: Worktree[] = [];
        const ended = await overById(tx, rows);
        for (const row of rows) {
          const goal = ended.get(row.goalId);
          if (goal === undefined || !(await areIntact(row.workspace))) continue;
          // By now its row may say something else than when the trees were read.
          const isComplete = row.isComplete && goal.isComplete;
          left.push(toWorktree({ ...row, isComplete, isCleared: goal.isCleared }));
        }
        await work(left);
      });
    },

    async tellEnded({ goalId, name, result: made }, end) {
      const result = end?.result ?? (made && { ...made, isEnd: true as const });
      if (result === null) return;
      await db.begin(async (tx) => {
        const ended = await changingWorkspace(
          tx,
          keys,
          name,
          () => tx`
            UPDATE workspace SET result = ${tx.json(storable(result))}
            WHERE name = ${name} AND NOT COALESCE(result ? 'isEnd', false)`,
        );
        if (end === null || ended.count === 0) return;
        const { branch, isProven } = end;
        const { commit, files, added, removed, leftOut } = end.result;
        const data = {
          branch,
          commit,
          files,
          added,
          removed,
          isProven,
          ...(leftOut && { leftOut }),
        };
        await appendEvents(tx, goalId, [{ type: 'branch.ended', data: storable(data) }]);
      });
      notify(goalId);
    },

    async tellStuck({ goalId, branch }, why) {
      await db.begin(async (tx) => {
        const told = await tx`
          SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'branch.stuck' LIMIT 1`;
        if (told.count > 0) return;
        const data = storable({ branch, why: why.slice(0, LONGEST_WHY) });
        await appendEvents(tx, goalId, [{ type: 'branch.stuck', data }]);
      });
      notify(goalId);
    },

    async makers(goalIds) {
      const rows = await db<MakerRow[]>`
        SELECT g.goal_id AS "goalId", (SELECT ${sealedWorkspace(db)} FROM workspace p WHERE p.name = w.name) AS workspace,
          (SELECT ${sealedWorkspace(db)} FROM workspace p WHERE p.name = w.origin) AS origin, j.token
        FROM goal g JOIN journal j USING (goal_id) JOIN workspace w ON w.name = g.workspace_name
          JOIN workspace o ON o.name = w.origin
        WHERE g.goal_id IN (SELECT jsonb_array_elements_text(${db.json([...goalIds])}))`;
      const ended = await overById(db, rows);
      const makers: Maker[] = [];
      for (const { workspace, origin, ...maker } of rows) {
        const isOver = ended.get(maker.goalId)?.isCleared ?? false;
        if (await areIntact(workspace, origin))
          makers.push({ ...maker, isOver, path: workspace.path, originPath: origin.path });
      }
      return makers;
    },

    async tellRemoved(name) {
      await db.begin((tx) =>
        changingWorkspace(
          tx,
          keys,
          name,
          () => tx`UPDATE workspace SET path = '' WHERE name = ${name} AND origin IS NOT NULL`,
        ),
      );
    },
  });
}

const LONGEST_WHY = 500;

type MakerRow = Pick<Maker, 'goalId' | 'token'> & WithOrigin;

interface WithOrigin {
  readonly workspace: SealedWorkspace;
  readonly origin: SealedWorkspace;
}

type WorktreeRow = Pick<Worktree, 'goalId' | 'isDelegate' | 'isComplete' | 'isCleared'> &
  WithOrigin &
  Row<'goal', 'mode'>;

const toWorktree = ({ workspace, origin, mode: _, ...goal }: WorktreeRow): Worktree => ({
  ...{ ...goal, name: workspace.name, path: workspace.path },
  ...{ branch: workspace.branch ?? branchOf(goal.goalId), originPath: origin.path },
  ...madeOf(workspace.result),
});

/** What it has been told since it was made, or what it is to begin with. */
const madeOf = (stored: SealedWorkspace['result']): Pick<Worktree, 'begins' | 'result'> =>
  stored !== null && 'begins' in stored
    ? { begins: stored.begins, result: null }
    : { begins: null, result: stored };

/** A delegate's branch is handed over by what its parent is told. */
const isComplete = (sql: Executor) => sql`(g.status = 'complete' AND g.parent_goal_id IS NULL)`;

/** Reads the worktrees of one goal, or those that are left to settle. */
async function readWorktrees(
  sql: Executor,
  goalId: string | null,
  left: { readonly host: string; readonly later: readonly string[] } | null,
): Promise<WorktreeRow[]> {
  return sql<WorktreeRow[]>`
    SELECT g.goal_id AS "goalId", g.mode, g.parent_goal_id IS NOT NULL AS "isDelegate",
      ${isComplete(sql)} AS "isComplete", g.archived_at IS NOT NULL AS "isCleared",
      (SELECT ${sealedWorkspace(sql)} FROM workspace p WHERE p.name = w.name) AS workspace,
      (SELECT ${sealedWorkspace(sql)} FROM workspace p WHERE p.name = w.origin) AS origin
    FROM workspace w JOIN goal g ON g.workspace_name = w.name
      JOIN workspace o ON o.name = w.origin
    WHERE ${
      left !== null
        ? sql`w.host = ${left.host} AND w.path <> ''
            AND (g.archived_at IS NOT NULL
              OR ${isComplete(sql)} AND NOT COALESCE(w.result ? 'isEnd', false))
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
