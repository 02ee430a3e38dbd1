import type { Author, MessageContent } from '../../contract/conversation.ts';
import type { Transaction } from '../client.ts';
import { eventList, type NewEvent } from '../events.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';

export interface NewMessage {
  readonly turn: number;
  readonly step: number | null;
  readonly voice: Author;
  readonly content: MessageContent;
}

/**
 * Adds to the conversation of a goal whose journal row this transaction has locked, and to its
 * events: `events` first, then one for each message.
 */
export async function appendMessages(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  messages: readonly NewMessage[],
  events: readonly NewEvent[] = [],
): Promise<void> {
  const all = [
    ...events,
    ...messages.map(({ turn, voice }) => ({ type: 'message.added', data: { turn, voice } })),
  ];
  if (all.length === 0) return;
  const rows = messages.map((message, index) => ({
    ...{ ...message, n: index + 1 },
    seal: sealWritten(keys, 'message', { goal_id: goalId, ...message }),
  }));
  await tx`
    WITH j AS (
      UPDATE journal SET message_seq = message_seq + ${rows.length}::int,
        event_seq = event_seq + ${all.length}::int
      WHERE goal_id = ${goalId}
      RETURNING message_seq - ${rows.length}::int AS message_base,
        event_seq - ${all.length}::int AS event_base
    ), added AS (
      INSERT INTO message (goal_id, seq, turn, step, voice, content, seal)
      SELECT ${goalId}, j.message_base + m.n, m.turn, m.step, m.voice, m.content, m.seal
      FROM j, jsonb_to_recordset(${tx.json(storable(rows))})
        AS m(n int, turn int, step int, voice text, content jsonb, seal text)
    )
    INSERT INTO event (goal_id, seq, type, data)
    SELECT ${goalId}, j.event_base + e.n, e.type, e.data
    FROM j, jsonb_to_recordset(${eventList(tx, all)}) AS e(n int, type text, data jsonb)`;
}
