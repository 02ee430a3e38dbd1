import type { StoredCheckpoint } from '../../contract/checkpoints.ts';
import type { Executor } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { jsonOf, type PrismaClient, timeOf } from '../store.ts';

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
 * Oldest first, in a transaction that reads more than these. One that the service didn't write, as it
 * stands, is none: nothing is put back to it.
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

/** Oldest first. */
export async function listCheckpoints(
  { checkpoint }: PrismaClient,
  goalId: string,
): Promise<StoredCheckpoint[]> {
  const rows = await checkpoint.findMany({ where: { goalId }, orderBy: { number: 'asc' } });
  return rows.map((row) => ({
    name: row.name,
    turn: row.turn,
    kind: row.kind as StoredCheckpoint['kind'],
    commit: row.commitHash,
    writeSeq: Number(row.writeSeq),
    todoRevision: row.todoRevision,
    changed: row.changed,
    leftOut: jsonOf(row.leftOut),
    unread: jsonOf(row.unread),
    createdAt: timeOf(row.createdAt),
  }));
}
