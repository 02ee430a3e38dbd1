import { handAttachments } from '../attachments/contents.ts';
import type { Transaction } from '../client.ts';

/**
 * The same conversation for another goal: turns, messages and the newest compaction keep their
 * numbers, and the new goal's turns come behind them, so that every reference in it stays right. A
 * turn that was cut off in the middle stays behind, because its calls have no results.
 */
export async function handConversation(tx: Transaction, from: string, to: string): Promise<void> {
  await tx`
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
    WHERE j.goal_id = ${to}`;
  await tx`
    INSERT INTO message (goal_id, seq, turn, step, voice, content, created_at)
    SELECT ${to}, m.seq, m.turn, m.step, m.voice, m.content, m.created_at
    FROM message m JOIN journal j ON j.goal_id = ${to}
    WHERE m.goal_id = ${from} AND m.seq <= j.message_seq`;
  await handAttachments(tx, from, to);
  await tx`
    INSERT INTO compaction (goal_id, number, turn, step, reason, model, shown, notes, notes_by,
      replaced_through, tokens_before, tokens_after, at)
    SELECT ${to}, c.number, c.turn, c.step, c.reason, c.model, c.shown, c.notes, c.notes_by,
      c.replaced_through, c.tokens_before, c.tokens_after, c.at
    FROM compaction c JOIN journal j ON j.goal_id = ${to}
    WHERE c.goal_id = ${from} AND c.turn <= j.turn ORDER BY c.number DESC LIMIT 1`;
}
