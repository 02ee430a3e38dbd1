import type { SentMessage } from '../../../schema/sent-message.ts';
import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';

/** Newest first. What was read stands in the conversation too, without a limit. */
const NEWEST = 200;

type SentRow = Row<
  'inbox',
  | 'message_id'
  | 'text'
  | 'voice'
  | 'sent_by'
  | 'created_at'
  | 'delivery'
  | 'taken_by_turn'
  | 'taken_back_by'
  | 'taken_back_at'
  | 'attachments'
>;

export async function readSentMessages(sql: Executor, goalId: string): Promise<SentMessage[]> {
  const rows = await sql<SentRow[]>`
    SELECT message_id, text, voice, sent_by, created_at, delivery, taken_by_turn, taken_back_by,
      taken_back_at, attachments
    FROM inbox WHERE goal_id = ${goalId} AND kind = 'message' AND voice IN ('person', 'agent')
    ORDER BY seq DESC LIMIT ${NEWEST}`;
  return rows.map(toMessage);
}

function toMessage(row: SentRow): SentMessage {
  const turn = row.taken_by_turn;
  const isRead = turn !== null && turn > 0;
  const unread = turn === 0 ? 'taken_back' : 'waiting';
  return {
    messageId: row.message_id,
    text: row.text,
    voice: row.voice === 'person' ? 'person' : 'agent',
    sentBy: row.sent_by,
    sentAt: row.created_at,
    delivery: row.delivery === 'steer' ? 'steer' : 'pause',
    state: isRead ? 'read' : unread,
    turn: isRead ? turn : null,
    takenBackBy: row.taken_back_by,
    takenBackAt: row.taken_back_at,
    files: (row.attachments ?? []).map(({ name }) => name),
  };
}
