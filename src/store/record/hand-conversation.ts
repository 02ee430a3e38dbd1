import { Refusal } from '../../contract/failures.ts';
import { handAttachments } from '../attachments/contents.ts';
import type { Transaction } from '../client.ts';
import { storable } from '../json.ts';
import { findForeignRow } from '../ledger/altered-written.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';

/** Messages that are read and written at once. */
const AT_ONCE = 1000;

/**
 * The same conversation for another goal: turns, messages and the newest compaction keep their
 * numbers, and the new goal's turns come behind them, so that every reference in it stays right. A
 * turn that was cut off in the middle stays behind, because its calls have no results.
 */
export async function handConversation(
  tx: Transaction,
  keys: LedgerKeys,
  from: string,
  to: string,
): Promise<void> {
  const [end] = await tx<Row<'journal', 'turn' | 'message_seq'>[]>`
    UPDATE journal j SET turn = p.turn, message_seq = p.message_seq
    FROM (
      SELECT l.turn, coalesce((
        SELECT max(m.seq) FROM message m WHERE m.goal_id = ${from} AND m.turn <= l.turn), 0)
        AS message_seq
      FROM (
        SELECT CASE WHEN EXISTS (SELECT FROM step s WHERE s.goal_id = ${from} AND s.turn = f.turn)
            AND NOT EXISTS (SELECT FROM decision d WHERE d.goal_id = ${from} AND d.turn = f.turn)
          THEN f.turn - 1 ELSE f.turn END AS turn
        FROM journal f WHERE f.goal_id = ${from}) l) p
    WHERE j.goal_id = ${to} RETURNING j.turn, j.message_seq`;
  if (end === undefined) return;
  await assertOurs(tx, keys, from);
  await handMessages(tx, keys, { from, to, through: end.message_seq });
  await handAttachments(tx, keys, from, to);
  await handCompaction(tx, keys, { from, to, through: end.turn });
}

/** Nothing is vouched for in another goal that the service did not write in this one. */
async function assertOurs(tx: Transaction, keys: LedgerKeys, goalId: string): Promise<void> {
  const foreign = await findForeignRow(tx, keys, goalId);
  if (foreign === null) return;
  const { table, name } = foreign;
  const detail = `${goalId} is not gone on with: the service did not write ${name} of ${table}, so somebody changed the database.`;
  throw new Refusal('invalid_transition', detail, { goalId });
}

interface Handed {
  readonly from: string;
  readonly to: string;
  /** The last message, or turn, that goes along. */
  readonly through: number;
}

type MessageRow = Row<'message', 'seq' | 'turn' | 'step' | 'voice' | 'content' | 'created_at'>;

async function handMessages(
  tx: Transaction,
  keys: LedgerKeys,
  { from, to, through }: Handed,
): Promise<void> {
  for (let after = 0; after < through; after += AT_ONCE) {
    const rows = await tx<MessageRow[]>`
      SELECT seq, turn, step, voice, content, created_at FROM message
      WHERE goal_id = ${from} AND seq > ${after} AND seq <= ${Math.min(through, after + AT_ONCE)}
      ORDER BY seq`;
    const handed = rows.map((row) => ({
      ...row,
      seal: sealWritten(keys, 'message', { ...row, goal_id: to }),
    }));
    await tx`
      INSERT INTO message (goal_id, seq, turn, step, voice, content, created_at, seal)
      SELECT ${to}, m.seq, m.turn, m.step, m.voice, m.content, m.created_at, m.seal
      FROM jsonb_to_recordset(${tx.json(storable(handed))}) AS m(seq int, turn int, step int,
        voice text, content jsonb, created_at timestamptz, seal text)`;
  }
}

type CompactionRow = Row<
  'compaction',
  | 'number'
  | 'turn'
  | 'step'
  | 'reason'
  | 'model'
  | 'shown'
  | 'notes'
  | 'notes_by'
  | 'replaced_through'
  | 'tokens_before'
  | 'tokens_after'
  | 'at'
>;

async function handCompaction(
  tx: Transaction,
  keys: LedgerKeys,
  { from, to, through }: Handed,
): Promise<void> {
  const [newest] = await tx<CompactionRow[]>`
    SELECT number, turn, step, reason, model, shown, notes, notes_by, replaced_through,
      tokens_before, tokens_after, at
    FROM compaction WHERE goal_id = ${from} AND turn <= ${through} ORDER BY number DESC LIMIT 1`;
  if (newest === undefined) return;
  const row = { ...newest, goal_id: to };
  const seal = sealWritten(keys, 'compaction', row);
  await tx`INSERT INTO compaction ${tx({ ...row, shown: tx.json(storable(row.shown)), seal })}`;
}
