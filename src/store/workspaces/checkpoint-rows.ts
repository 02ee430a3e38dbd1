import type { StoredCheckpoint } from '../../contract/checkpoints.ts';
import type { Executor } from '../client.ts';

interface CheckpointRow {
  readonly name: string;
  readonly turn: number;
  readonly kind: StoredCheckpoint['kind'];
  readonly commit_hash: string;
  readonly write_seq: number;
  readonly todo_revision: number;
  readonly changed: number;
  readonly left_out: string[];
  readonly unread: string[];
  readonly created_at: string;
}

/** Oldest first. */
export async function readCheckpoints(
  sql: Executor,
  goalId: string,
  name: string | null = null,
): Promise<StoredCheckpoint[]> {
  const rows = await sql<CheckpointRow[]>`
    SELECT name, turn, kind, commit_hash, write_seq, todo_revision, changed, left_out,
      unread, created_at
    FROM checkpoint WHERE goal_id = ${goalId} AND (${name}::text IS NULL OR name = ${name})
    ORDER BY number`;
  return rows.map((row) => ({
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
