import type { Rewind } from '../../../schema/checkpoint.ts';
import type { Outcome, Receipt } from '../../../schema/ledger.ts';
import type { CheckpointsPort, PendingRewind } from '../../contract/checkpoints.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Fence } from '../../contract/fence.ts';
import type { RewindTo } from '../../contract/mutation.ts';
import { noCheckpoint, rewindTarget } from '../../record/mutation/rewind.ts';
import type { Executor, Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isWritten, sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { sendToInbox } from '../send-to-inbox.ts';
import { isLeftBehind, readCheckpoints } from './checkpoint-rows.ts';

/** The goal's state when its rewind is ordered. */
interface Ordering {
  readonly goalId: string;
  readonly epoch: number;
  readonly turn: number;
  readonly workspaceName: string;
}

/**
 * Stores the order, which the goal's next worker carries out first, and takes the workspace's
 * lease, so that nobody else writes meanwhile. Runs in the transaction that pauses the goal.
 * @throws Refusal
 */
export async function orderRewind(
  tx: Transaction,
  keys: LedgerKeys,
  goal: Ordering,
  order: RewindTo & { readonly commitId: string; readonly by: string },
): Promise<void> {
  const { goalId, turn } = goal;
  const kept = await readCheckpoints(tx, keys, goalId);
  const target = rewindTarget(kept, order);
  const { to } = order;
  if (to !== 'before_rewind' && (await isLeftBehind(tx, goalId, target, to.turn)))
    throw noCheckpoint(kept, to.turn);
  const writeSeq = await lease(tx, goal);
  const replaced = tx.json({ reason: 'a later one took its place', code: 'replaced' });
  await tx`
    UPDATE rewind SET state = 'failed', result = ${replaced}, ended_at = now()
    WHERE goal_id = ${goalId} AND state = 'begun'`;
  const row = { goal_id: goalId, commit_id: order.commitId, checkpoint: target.name, turn };
  const seal = sealWritten(keys, 'rewind', { ...row, ordered_by: order.by });
  await tx`
    INSERT INTO rewind (goal_id, number, commit_id, checkpoint, turn, ordered_by, state, write_seq,
      seal)
    SELECT ${goalId}, coalesce(max(number), 0) + 1, ${order.commitId}, ${target.name}, ${turn},
      ${order.by}, 'begun', ${writeSeq}, ${seal}
    FROM rewind WHERE goal_id = ${goalId}`;
}

/** @returns the workspace's write counter, which tells later whether others wrote meanwhile */
async function lease(
  tx: Transaction,
  { goalId, epoch, workspaceName }: Ordering,
): Promise<number | null> {
  const [workspace] = await tx<
    Row<'workspace', 'lease_goal_id' | 'lease_check_id' | 'write_seq'>[]
  >`
    SELECT lease_goal_id, lease_check_id, write_seq FROM workspace
    WHERE name = ${workspaceName} FOR UPDATE`;
  if (workspace?.lease_check_id != null) {
    throw new Refusal(
      'workspace_busy',
      `A check runs in the workspace ${workspaceName}: try again when it has ended`,
      { workspace: workspaceName },
    );
  }
  const holder = workspace?.lease_goal_id ?? goalId;
  if (holder !== goalId) {
    throw new Refusal(
      'invalid_transition',
      `${holder} works in the workspace ${workspaceName}: pause it, or try again when it waits`,
      { workspace: workspaceName, goalId: holder },
    );
  }
  await tx`
    UPDATE workspace SET lease_goal_id = ${goalId}, lease_epoch = ${epoch}, leased_at = now()
    WHERE name = ${workspaceName}`;
  return workspace?.write_seq ?? null;
}

/**
 * The result is also null while the goal has no lease of its workspace; the next lease holder
 * carries the rewind out.
 */
export async function readPendingRewind(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
): Promise<PendingRewind | null> {
  const [row] = await sql<PendingRow[]>`
    SELECT r.number, r.commit_id, r.seal, r.ordered_by AS by, r.checkpoint, r.turn, l.outcome,
      l.body -> 'receipt' AS receipt,
      coalesce(w.write_seq > r.write_seq, false) AS "haveOthersWritten"
    FROM rewind r JOIN workspace w ON w.lease_goal_id = r.goal_id
      LEFT JOIN ledger l ON l.goal_id = r.goal_id AND l.call_id = 'rewind.' || r.number
        AND l.phase = 'settled'
    WHERE r.goal_id = ${goalId} AND r.state = 'begun'`;
  if (row === undefined) return null;
  const { checkpoint, outcome, receipt, commit_id, seal, ...order } = row;
  const { turn, by: ordered_by } = order;
  const made = { goal_id: goalId, commit_id, checkpoint, turn, ordered_by, seal };
  if (!isWritten(keys, 'rewind', made)) return null;
  const target = (await readCheckpoints(sql, keys, goalId)).find(({ name }) => name === checkpoint);
  const settled = outcome === null ? null : { outcome, receipt };
  return target === undefined ? null : { ...order, target, settled };
}

interface PendingRow extends Pick<PendingRewind, 'number' | 'by' | 'turn' | 'haveOthersWritten'> {
  readonly commit_id: string;
  readonly seal: string | null;
  readonly checkpoint: string;
  readonly outcome: Outcome | null;
  readonly receipt: Receipt;
}

export async function endRewind(
  tx: Transaction,
  keys: LedgerKeys,
  fence: Fence,
  { number, state, ...result }: Parameters<CheckpointsPort['endRewind']>[1],
  text: string,
): Promise<void> {
  const { goalId } = fence;
  await lockFenced(tx, fence, 'ending');
  const ended = await tx`
    UPDATE rewind SET state = ${state}, result = ${tx.json(storable(result))}, ended_at = now()
    WHERE goal_id = ${goalId} AND number = ${number} AND state = 'begun'`;
  if (ended.count === 0) return;
  await sendToInbox(tx, keys, {
    ...{ messageId: `m-${goalId}-rewind-${number}`, goalId, kind: 'rewind', voice: 'host' },
    ...{ text, delivery: 'steer' },
  });
  const { changed, left = [], edited = [], reason, code } = result;
  const why = reason === undefined ? {} : { reason, code };
  const data = { number, changed, left: left.length, edited: edited.length, ...why };
  await appendEvents(tx, goalId, [
    { type: state === 'done' ? 'goal.rewound' : 'goal.rewind_failed', data },
  ]);
  // A goal that goes on keeps the lease for its turn.
  await tx`
    UPDATE workspace SET lease_goal_id = NULL, lease_epoch = NULL, leased_at = NULL
    WHERE lease_goal_id = ${goalId}
      AND NOT (SELECT is_open FROM journal WHERE goal_id = ${goalId})`;
}

type RewindRow = Row<
  'rewind',
  'number' | 'checkpoint' | 'ordered_by' | 'state' | 'result' | 'created_at' | 'ended_at'
>;

/** Oldest first. */
export async function readRewinds(sql: Executor, goalId: string): Promise<Rewind[]> {
  const rows = await sql<RewindRow[]>`
    SELECT number, checkpoint, ordered_by, state, result, created_at, ended_at
    FROM rewind WHERE goal_id = ${goalId} ORDER BY number`;
  return rows.map((row) => ({
    number: row.number,
    checkpoint: row.checkpoint,
    by: row.ordered_by,
    state: row.state,
    ...row.result,
    createdAt: row.created_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  }));
}
