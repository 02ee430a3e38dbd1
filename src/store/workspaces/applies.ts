import type { Principal } from '../../../schema/role.ts';
import {
  type AppliesOnHost,
  type ApplyGround,
  type ApplyRef,
  commitOfLease,
  leaseOfApply,
} from '../../contract/applies.ts';
import { OrderRefused, Refusal } from '../../contract/failures.ts';
import { taskQueuesOf } from '../../contract/task-queues.ts';
import { type Database, type Executor, type Transaction, withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { readInstallation } from '../installation.ts';
import { isOfEndedToken } from '../intake/ended-token.ts';
import { type HelperRow, helperOf } from '../journal/helper-row.ts';
import { storable } from '../json.ts';
import { assertUnaltered } from '../ledger/altered-goal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isOrderIntact, orderSeal } from '../ledger/order-seal.ts';
import { ALTERED_WORKSPACE, isWorkspaceIntact, readWorkspace } from '../ledger/workspace-seal.ts';
import type { OuterRow, Row } from '../row.ts';
import { isFree } from './workspace-lease.ts';

const KIND = 'apply';
const BODY = { kind: KIND };

/** Stores the order to bring a goal's branch into its workspace, once and for good. */
export const createApplyOrders = (db: Database, keys: LedgerKeys) => ({
  async place({ goalId, commitId }: ApplyRef, { role, name }: Principal): Promise<void> {
    await db.begin(async (tx) => {
      const request = await readRequest(tx, commitId);
      const seal = orderSeal(keys.sealing, {
        goalId,
        commitId,
        role,
        by: name,
        body: BODY,
        request,
      });
      await tx`
        INSERT INTO goal_order (goal_id, commit_id, kind, body, role, ordered_by, sha256)
        VALUES (${goalId}, ${commitId}, ${KIND}, ${tx.json(BODY)}, ${role}, ${name}, ${seal})
        ON CONFLICT (goal_id, commit_id) DO NOTHING`;
    });
  },

  /** Keeps the answer for those who ask again under the same key. */
  async answer({ goalId, commitId }: ApplyRef, answer: object): Promise<void> {
    await db`
      UPDATE request SET goal_id = ${goalId}, http_status = 200, answer = ${db.json(storable(answer))},
        answered_at = now()
      WHERE commit_id = ${commitId} AND http_status IS NULL`;
  },
});

export function createApplies(
  db: Database,
  options: { readonly ledgerKeys: LedgerKeys; readonly onAppended?: (goalId: string) => void },
): Omit<AppliesOnHost, 'endOf'> {
  const keys = options.ledgerKeys;
  return withTypedErrors<Omit<AppliesOnHost, 'endOf'>>({
    async queueOf(ref) {
      await assertOrdered(db, keys, ref);
      const { workspace } = await placesOf(db, keys, ref.goalId);
      return taskQueuesOf(await readInstallation(db)).workspacesOf(workspace.host);
    },

    take: (ref, { host, workerId }) =>
      db.begin(async (tx): Promise<ApplyGround> => {
        await assertOrdered(tx, keys, ref);
        await assertUnaltered(tx, keys, ref.goalId);
        const { workspace, tree } = await placesOf(tx, keys, ref.goalId);
        if (workspace.host !== host) throw new OrderRefused('no_order');
        const leaseId = leaseOfApply(ref);
        await lease(tx, leaseId, workspace.name, [workspace.name, tree.name]);
        return {
          ...ref,
          branch: tree.branch ?? '',
          treePath: tree.path,
          base: tree.result !== null && 'base' in tree.result ? tree.result.base : null,
          workspace: { name: workspace.name, path: workspace.path },
          formerHelper: await registerRun(tx, leaseId, { host, workerId }),
        };
      }),

    async recordHelper(ref, helper) {
      const leaseId = leaseOfApply(ref);
      const recorded = await db`
        UPDATE check_run SET helper_pid = ${helper.pid}, helper_started_at = ${helper.startedAt},
          helper_is_init = ${helper.isInit ?? false}
        WHERE check_id = ${leaseId}
          AND EXISTS (SELECT 1 FROM workspace WHERE lease_check_id = ${leaseId})`;
      if (recorded.count === 0) throw new Refusal('workspace_busy', TAKEN_BACK);
    },

    async tellApplied(ref, applied) {
      const { goalId, commitId } = ref;
      await db.begin(async (tx) => {
        const known = await tx`
          SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'branch.applied'
            AND data->>'order' = ${commitId}`;
        const { branch, workspace, from, commit, files } = applied;
        const data = { order: commitId, branch, workspace, from, commit, files };
        if (known.count === 0 && applied.isNew)
          await appendEvents(tx, goalId, [{ type: 'branch.applied', data }]);
        await release(tx, ref);
      });
      options.onAppended?.(goalId);
    },

    giveBack: (ref) => db.begin((tx) => release(tx, ref)),

    async leave(ref) {
      await db`DELETE FROM check_run WHERE check_id = ${leaseOfApply(ref)}`;
    },
  });
}

const TAKEN_BACK = 'The workspace was taken back meanwhile: nothing more is written. Try again.';

async function readRequest(sql: Executor, commitId: string): Promise<object> {
  const [request] = await sql<{ body: object | null }[]>`
    SELECT body FROM request WHERE commit_id = ${commitId}`;
  if (request !== undefined) return request.body ?? {};
  throw new Refusal('request_in_progress', 'The same request was just refused elsewhere');
}

/** @throws OrderRefused, Refusal: nobody whose token still holds ordered this of the goal */
async function assertOrdered(
  sql: Executor,
  keys: LedgerKeys,
  { goalId, commitId }: ApplyRef,
): Promise<void> {
  const [row] = await sql<
    (Row<'goal_order', 'body' | 'role' | 'ordered_by' | 'sha256'> & { hasEnded: boolean })[]
  >`
    SELECT body, role, ordered_by, sha256, ${isOfEndedToken(sql)} AS "hasEnded" FROM goal_order
    WHERE goal_id = ${goalId} AND commit_id = ${commitId}`;
  if (row === undefined) throw new OrderRefused('no_order');
  const { body, role, ordered_by: by, sha256 } = row;
  const request = await readRequest(sql, commitId);
  const ordered = { goalId, commitId, role, by, body, request };
  if (!isOrderIntact(keys, ordered, sha256)) throw new OrderRefused('altered');
  if ((body as { kind?: unknown } | null)?.kind !== KIND) throw new OrderRefused('no_order');
  if (row.hasEnded)
    throw new Refusal('unauthorized', `The token ${by} has ended: nothing was changed.`);
}

/** @throws Refusal where the goal has no branch to bring in, or may add to it any moment */
async function placesOf(sql: Executor, keys: LedgerKeys, goalId: string) {
  const [goal] = await sql<
    (Row<'goal', 'status' | 'archived_at' | 'parent_goal_id' | 'workspace_name'> &
      OuterRow<'workspace', 'origin'>)[]
  >`
    SELECT g.status, g.archived_at, g.parent_goal_id, g.workspace_name, w.origin
    FROM goal g LEFT JOIN workspace w ON w.name = g.workspace_name WHERE g.goal_id = ${goalId}`;
  if (goal === undefined) throw new Refusal('not_found', `There is no goal ${goalId}.`, { goalId });
  if (goal.origin === null) {
    throw new Refusal(
      'cannot_apply',
      `${goalId} works in ${goal.workspace_name} itself: what it wrote is there. A goal with a worktree ("mode": "worktree") has a branch.`,
      { field: 'goalId', problem: 'no_branch' },
    );
  }
  if (goal.parent_goal_id !== null) {
    throw new Refusal(
      'cannot_apply',
      `${goalId} is a delegate: ${goal.parent_goal_id} takes its branch over, or leaves it.`,
      { field: 'goalId', problem: 'delegate' },
    );
  }
  if (goal.status === 'active' && goal.archived_at === null) {
    const why = `${goalId} is at work: pause it first, or wait until it has ended`;
    throw new Refusal('invalid_transition', why, { status: goal.status });
  }
  const workspace = await intact(sql, keys, goal.origin);
  const tree = await intact(sql, keys, goal.workspace_name);
  if (goal.archived_at !== null && tree.path !== '') {
    // What is left in it is on its way to the branch.
    const why = `The worktree of ${goalId} is being put away: try again in a moment.`;
    throw new Refusal('workspace_busy', why, { field: 'goalId' });
  }
  return { workspace, tree };
}

async function intact(sql: Executor, keys: LedgerKeys, name: string) {
  const row = await readWorkspace(sql, name);
  if (row === null) throw new Refusal('unknown_workspace', `There is no workspace ${name}.`);
  if (isWorkspaceIntact(keys, row)) return row;
  throw new Refusal('unknown_workspace', `${name}: ${ALTERED_WORKSPACE}.`, { field: 'workspace' });
}

/** Both or none. What is written is unknown to earlier evidence of the workspace, which is stale then. */
async function lease(
  tx: Transaction,
  leaseId: string,
  workspace: string,
  names: readonly string[],
): Promise<void> {
  const held = await tx<Row<'workspace', 'name' | 'lease_goal_id' | 'lease_check_id'>[]>`
    SELECT name, lease_goal_id, lease_check_id FROM workspace
    WHERE name IN (SELECT jsonb_array_elements_text(${tx.json([...names])}))
    ORDER BY name FOR UPDATE`;
  const [first] = await tx<Row<'workspace_queue', 'goal_id'>[]>`
    SELECT goal_id FROM workspace_queue WHERE workspace = ${workspace} ORDER BY ticket LIMIT 1`;
  const other = held.find(
    (one) =>
      one.lease_goal_id !== null || (one.lease_check_id !== null && one.lease_check_id !== leaseId),
  );
  const isMine = held.some(({ lease_check_id: holder }) => holder === leaseId);
  const goalId = other?.lease_goal_id ?? (other === undefined ? first?.goal_id : undefined);
  if (other !== undefined || (first !== undefined && !isMine)) {
    const isApply = commitOfLease(other?.lease_check_id ?? '') !== null;
    const who = goalId ?? (isApply ? 'A branch that is brought in' : 'A check');
    const does = other === undefined ? 'waits for' : isApply ? 'holds' : 'works in';
    throw new Refusal(
      'workspace_busy',
      `${who} ${does} ${other?.name ?? workspace}: try again when it has paused or ended.`,
      { field: 'workspace', ...(goalId === undefined ? {} : { goalId }) },
    );
  }
  await tx`
    UPDATE workspace SET lease_check_id = ${leaseId}, leased_at = now(),
      write_seq = write_seq + CASE WHEN name = ${workspace} THEN 1 ELSE 0 END
    WHERE name IN (SELECT jsonb_array_elements_text(${tx.json([...names])}))
      AND (${isFree(tx)} OR lease_check_id = ${leaseId})`;
}

async function registerRun(
  tx: Transaction,
  leaseId: string,
  { host, workerId }: { readonly host: string; readonly workerId: string },
) {
  const [former] = await tx<HelperRow[]>`
    SELECT host, helper_pid, helper_started_at, helper_is_init FROM check_run
    WHERE check_id = ${leaseId}`;
  await tx`
    INSERT INTO check_run (check_id, host, worker_id) VALUES (${leaseId}, ${host}, ${workerId})
    ON CONFLICT (check_id) DO UPDATE SET worker_id = excluded.worker_id, helper_pid = NULL,
      helper_started_at = NULL`;
  return former === undefined ? null : helperOf(former);
}

async function release(tx: Transaction, ref: ApplyRef): Promise<void> {
  const leaseId = leaseOfApply(ref);
  await tx`
    UPDATE workspace SET lease_check_id = NULL, leased_at = NULL
    WHERE lease_check_id = ${leaseId}`;
  await tx`DELETE FROM check_run WHERE check_id = ${leaseId}`;
}
