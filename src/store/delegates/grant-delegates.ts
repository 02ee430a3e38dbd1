import type { DelegateShare } from '../../../schema/delegate.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { SettledTurn } from '../../contract/record.ts';
import { resolvePolicy } from '../../goal/defaults.ts';
import { addAll, shareOf } from '../../record/budget/delegate-share.ts';
import { grantRefusalText, objectiveFor } from '../../record/delegates/delegate-text.ts';
import {
  type GrantRefusal,
  isSameTask,
  leadsOn,
  prefersWorktree,
  refuseGrant,
  startOf,
  termsOf,
} from '../../record/delegates/delegates.ts';
import type { Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { insertGoal } from '../intake/insert-goal.ts';
import { whyAltered } from '../ledger/altered-goal.ts';
import {
  changeDelegates,
  type DelegateRow,
  type LockedDelegate,
  lockingDelegates,
  settingDelegates,
} from '../ledger/delegate-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { type UsageColumns, usageColumns } from '../usage-row.ts';
import {
  type DelegatedColumns,
  delegatedColumns,
  joinDelegated,
  readSetAside,
  toTotal,
} from './delegate-usage.ts';
import { childIdOf, closeUnbegun } from './delegates.ts';

interface Settled {
  readonly chart: ChartSnapshot;
  readonly turn: SettledTurn;
  /** Turn that begins a new chain of delegates; 0 = the chain continues. */
  readonly chainFrom: number;
}

/**
 * Grants or refuses the delegates that the turn asked for, in the transaction that settles it, and
 * begins those that became due while it ran, by the clock or by a compaction.
 * @returns true when it asked for some and none began
 */
export async function settleDelegates(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { chart, turn, chainFrom }: Settled,
): Promise<boolean> {
  const { decision } = turn;
  const staged = await readIn(tx, goalId, 'staged');
  if (!leadsOn(decision, chart)) {
    await drop(tx, keys, goalId, staged, `its turn led to no other: ${decision.sentence}`);
    return false;
  }
  const now = staged.filter((row) => startOfRow(row) === 'now');
  for (const row of staged) if (!now.includes(row)) await putOff(tx, keys, row);
  const due = await readDue(tx, goalId);
  const begun = await begin(tx, keys, goalId, [...due, ...now], chainFrom);
  return begun === 0 && staged.length > 0;
}

/** Delegates that are due now, by the clock or after a compaction. */
export const readDue = (tx: Transaction, goalId: string): Promise<DelegateRow[]> =>
  tx<DelegateRow[]>`
    SELECT * FROM delegate d
    WHERE parent_goal_id = ${goalId} AND ((state = 'delayed' AND starts_at <= now())
      OR (state = 'held' AND EXISTS (
        SELECT 1 FROM compaction c WHERE c.goal_id = d.parent_goal_id AND c.at > d.created_at)))
    ORDER BY starts_at, created_at, delegate_id`;

const readIn = (tx: Transaction, goalId: string, state: string): Promise<DelegateRow[]> =>
  tx<DelegateRow[]>`
    SELECT * FROM delegate WHERE parent_goal_id = ${goalId} AND state = ${state}
    ORDER BY created_at, delegate_id`;

async function drop(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  rows: readonly DelegateRow[],
  reason: string,
): Promise<void> {
  for (const row of rows) await closeUnbegun(tx, keys, row, 'dropped', { kind: 'dropped', reason });
  const events = rows.map(({ delegate_id: delegateId }) => ({
    type: 'delegate.dropped',
    data: { delegateId, reason: reason.slice(0, 500) },
  }));
  await appendEvents(tx, goalId, events);
}

const startOfRow = ({ returns, delay_seconds: delaySeconds }: DelegateRow) =>
  startOf({ returns, delaySeconds });

async function putOff(tx: Transaction, keys: LedgerKeys, row: DelegateRow): Promise<void> {
  const isHeld = startOfRow(row) === 'after_compaction';
  const [put] = await changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(tx, tx`d.delegate_id = ${row.delegate_id}`)}`,
    (ids) =>
      tx<DelegateRow[]>`${settingDelegates(
        tx,
        tx`state = ${isHeld ? 'held' : 'delayed'},
      starts_at = CASE WHEN ${!isHeld} THEN now() + make_interval(secs => ${row.delay_seconds}) END`,
        ids,
      )}`,
  );
  const data = { delegateId: row.delegate_id, startsAt: put?.starts_at ?? null };
  const type = isHeld ? 'delegate.held' : 'delegate.delayed';
  await appendEvents(tx, row.parent_goal_id, [{ type, data }]);
}

type Parent = Row<
  'goal',
  | 'goal_id'
  | 'mode'
  | 'model'
  | 'fallback_model'
  | 'workspace_name'
  | 'isolation'
  | 'budget'
  | 'policy'
  | 'tool_rules'
  | 'notify'
  | 'text_tokens'
  | 'priority'
  | 'created_by'
> &
  UsageColumns &
  DelegatedColumns;

/**
 * Begins delegates under the parent's lock: nobody else begins its delegates or changes its budget.
 * Of a parent that its seals don't vouch for nothing is handed on.
 * @returns how many began
 */
export async function begin(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  rows: readonly DelegateRow[],
  chainFrom = 0,
): Promise<number> {
  if (rows.length === 0) return 0;
  const why = await whyAltered(tx, keys, goalId);
  if (why !== null) {
    await drop(tx, keys, goalId, rows, why);
    return 0;
  }
  const [parent] = await tx<[Parent]>`
    SELECT g.goal_id, g.mode, g.model, g.fallback_model, g.workspace_name, g.isolation, g.budget,
      g.policy, g.tool_rules, g.notify, g.text_tokens, g.priority, g.created_by, ${usageColumns(tx)}, ${delegatedColumns(tx)}
    FROM goal g JOIN journal j USING (goal_id) ${joinDelegated(tx)} WHERE g.goal_id = ${goalId}`;
  const setAside = await readSetAside(tx, goalId);
  const share = shareOf(parent.budget, addAll([toTotal(parent), setAside]), rows.length);
  let begun = 0;
  for (const row of rows)
    if (await beginOne(tx, keys, parent, row, { share, chainFrom })) begun += 1;
  return begun;
}

async function beginOne(
  tx: Transaction,
  keys: LedgerKeys,
  parent: Parent,
  row: DelegateRow,
  { share, chainFrom }: { share: DelegateShare | null; chainFrom: number },
): Promise<boolean> {
  const standing = await readStanding(tx, parent.goal_id, chainFrom);
  const isCycle = standing.objectives.some((objective) => isSameTask(objective, row.task));
  const refusal = refuseGrant({
    ...standing,
    isCycle,
    share,
    limits: resolvePolicy(parent.policy).continuation,
  });
  if (refusal !== null) {
    await refuse(tx, keys, row, refusal);
    return false;
  }
  const goalId = childIdOf(row.delegate_id);
  await insertChild(tx, keys, parent, row, share);
  await changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(tx, tx`d.delegate_id = ${row.delegate_id}`)}`,
    (ids) =>
      tx<DelegateRow[]>`${settingDelegates(
        tx,
        tx`state = 'running', child_goal_id = ${goalId}, hop = ${standing.hop},
      reserved = ${tx.json(share as never)}, started_at = now()`,
        ids,
      )}`,
  );
  const data = { delegateId: row.delegate_id, goalId, hop: standing.hop };
  await appendEvents(tx, parent.goal_id, [{ type: 'delegate.started', data }]);
  return true;
}

async function refuse(
  tx: Transaction,
  keys: LedgerKeys,
  row: DelegateRow,
  refusal: GrantRefusal,
): Promise<void> {
  const reason = grantRefusalText(refusal);
  await closeUnbegun(tx, keys, row, 'refused', { kind: 'refused', reason, ...refusal });
  const data = { delegateId: row.delegate_id, ...refusal, reason };
  await appendEvents(tx, row.parent_goal_id, [{ type: 'delegate.refused', data }]);
}

interface Standing {
  readonly running: number;
  readonly depth: number;
  readonly hop: number;
  readonly chainTokens: number;
  /** Objectives of the goal and all its ancestors. */
  readonly objectives: readonly string[];
}

/** A goal's place in its tree and in its chain of delegates. */
async function readStanding(tx: Transaction, goalId: string, chainFrom: number): Promise<Standing> {
  const line = await tx<Row<'delegate', 'task'>[]>`
    WITH RECURSIVE line AS (
      SELECT goal_id, parent_goal_id, objective FROM goal WHERE goal_id = ${goalId}
      UNION ALL
      SELECT g.goal_id, g.parent_goal_id, g.objective FROM goal g
      JOIN line l ON g.goal_id = l.parent_goal_id
    )
    SELECT coalesce(r.task, l.objective) AS task
    FROM line l LEFT JOIN delegate r ON r.child_goal_id = l.goal_id`;
  const [chain] = await tx<[{ running: number; own: number; highest: number; tokens: number }]>`
    SELECT
      (SELECT count(*)::int FROM delegate
        WHERE parent_goal_id = ${goalId} AND state = 'running') AS running,
      coalesce((SELECT hop FROM delegate WHERE child_goal_id = ${goalId}), 0) AS own,
      coalesce((SELECT max(hop) FROM delegate
        WHERE parent_goal_id = ${goalId} AND is_in_chain AND turn >= ${chainFrom}), 0) AS highest,
      (WITH RECURSIVE below AS (
          SELECT child_goal_id AS goal_id FROM delegate
          WHERE parent_goal_id = ${goalId} AND is_in_chain AND turn >= ${chainFrom}
            AND child_goal_id IS NOT NULL
          UNION ALL
          SELECT c.goal_id FROM goal c JOIN below b ON c.parent_goal_id = b.goal_id
        )
        SELECT coalesce(sum(j.input_tokens - j.cached_input_tokens + j.output_tokens), 0)::bigint
        FROM below JOIN journal j USING (goal_id)) AS tokens`;
  return {
    running: chain.running,
    depth: line.length,
    hop: Math.max(chain.own, chain.highest) + 1,
    chainTokens: chain.tokens,
    objectives: line.map(({ task }) => task),
  };
}

async function insertChild(
  tx: Transaction,
  keys: LedgerKeys,
  parent: Parent,
  row: DelegateRow,
  share: DelegateShare | null,
): Promise<void> {
  const goalId = childIdOf(row.delegate_id);
  await insertGoal(
    tx,
    keys,
    { name: parent.created_by, role: 'agent' },
    {
      goalId,
      threadId: goalId.replace(/^g-/, 't-'),
      parentGoalId: parent.goal_id,
      objective: objectiveFor(row.task, row.files),
      criteria: [],
      ...termsOf(parent, share),
      toolRules: parent.tool_rules,
      notify: parent.notify,
      textTokens: parent.text_tokens,
      priority: parent.priority,
      model: parent.model,
      fallbackModel: parent.fallback_model,
      mode: row.mode,
      workspace: parent.workspace_name,
      ...(prefersWorktree(row.mode) ? { worktree: 'preferred' as const } : {}),
      isolation: parent.isolation,
    },
  );
}
