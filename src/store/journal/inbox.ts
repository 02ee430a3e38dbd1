import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';

export type InboxRow = Row<
  'inbox',
  'message_id' | 'kind' | 'voice' | 'text' | 'delivery' | 'attachments'
>;

/**
 * Inbox rows `s` that a running turn takes. A message that follows an answer waits with it for the
 * next turn, which the answer begins.
 */
export const steering = (sql: Executor, goalId: string) => sql`
  FROM inbox s
  WHERE s.goal_id = ${goalId} AND s.taken_by_turn IS NULL AND s.delivery = 'steer'
    AND NOT (s.kind = 'message' AND EXISTS (
      SELECT 1 FROM inbox a
      WHERE a.goal_id = s.goal_id AND a.taken_by_turn IS NULL AND a.kind = 'answer'
        AND a.delivery = 'pause' AND a.seq < s.seq))`;

/**
 * Takes messages under the journal's lock, each by one turn only. A person's steering message also
 * takes the messages sent before it; a program's leaves them to their own turn.
 */
export async function takeInbox(
  tx: Transaction,
  goalId: string,
  turn: number,
  which: 'all' | 'steer',
): Promise<InboxRow[]> {
  return tx<InboxRow[]>`
    WITH steering AS (SELECT s.seq, s.kind, s.voice ${steering(tx, goalId)}), taken AS (
      UPDATE inbox SET taken_by_turn = ${turn}
      WHERE goal_id = ${goalId} AND taken_by_turn IS NULL
        AND (${which === 'all'} OR seq IN (SELECT seq FROM steering)
          OR kind = 'message' AND seq < (
            SELECT max(seq) FROM steering WHERE kind = 'message' AND voice = 'person'))
      RETURNING message_id, kind, voice, text, delivery, attachments, seq
    )
    SELECT message_id, kind, voice, text, delivery, attachments FROM taken ORDER BY seq`;
}
