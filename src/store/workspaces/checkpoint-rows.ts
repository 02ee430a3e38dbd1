import type { StoredCheckpoint } from '../../contract/checkpoints.ts';
import type { Executor } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';

type CheckpointRow = Row<
  'checkpoint',
  | 'name'
  | 'turn'
  | 'kind'
  | 'commit_hash'
  | 'write_seq'
  | 'todo_revision'
  | 'changed'
  | 'left_out'
  | 'unread'
  | 'created_at'
  | 'seal'
>;

/**
 * Oldest first. One that the service didn't write, as it stands, is none: nothing is put back to it,
 * and nothing begins with it.
 */
export async function readCheckpoints(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  name: string | null = null,
): Promise<StoredCheckpoint[]> {
  const rows = await sql<CheckpointRow[]>`
    SELECT name, turn, kind, commit_hash, write_seq, todo_revision, changed, left_out,
      unread, created_at, seal
    FROM checkpoint WHERE goal_id = ${goalId} AND (${name}::text IS NULL OR name = ${name})
    ORDER BY number`;
  const written = rows.filter((row) => isWritten(keys, 'checkpoint', { ...row, goal_id: goalId }));
  return written.map((row) => ({
    name: row.name,
    turn: row.turn,
    kind: row.kind,
    commit: row.commit_hash,
    writeSeq: row.write_seq,
    todoRevision: row.todo_revision,
    changed: row.changed,
    leftOut: row.left_out,
    unread: row.unread,
    createdAt: row.created_at,
  }));
}

const MOST_TURNS = 2_147_483_647;

/**
 * Whether the goal's own calls wrote, until the end of this turn, what the checkpoint doesn't have:
 * the one that would have it could not be made. The looks of a wait come behind the turn's end.
 */
export async function isLeftBehind(
  sql: Executor,
  goalId: string,
  { turn, writeSeq }: Pick<StoredCheckpoint, 'turn' | 'writeSeq'>,
  upTo: number,
): Promise<boolean> {
  const last = Math.min(upTo, MOST_TURNS);
  const written = await sql`
    SELECT 1 FROM ledger l WHERE l.goal_id = ${goalId} AND l.phase = 'settled'
      AND l.turn BETWEEN ${turn} AND ${last}
      AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.goal_id = l.goal_id AND d.turn = l.turn
        AND d.turn = ${last} AND d.ledger_seq < l.seq)
      AND coalesce(l.body#>>'{receipt,origin}', 'model') IN ('model', 'agent')
      AND (l.body#>>'{receipt,writeSeq}')::bigint > ${writeSeq} LIMIT 1`;
  return written.count > 0;
}
