import type { MessageSubject, Mutation } from '../../contract/mutation.ts';
import { wasRead } from '../../record/mutation/subject.ts';
import type { Transaction } from '../client.ts';
import type { Row } from '../row.ts';

type MessageRow = Row<'inbox', 'sent_by' | 'voice' | 'taken_by_turn'> & {
  readonly leads_alone: boolean;
};

/** What a person or a program said; answers, notices and results of delegates are none. */
export async function readMessageSubject(
  tx: Transaction,
  goalId: string,
  messageId: string,
): Promise<MessageSubject | null> {
  const [row] = await tx<MessageRow[]>`
    SELECT sent_by, voice, taken_by_turn,
      led_on AND taken_by_turn IS NULL AND NOT EXISTS (
        SELECT 1 FROM inbox o WHERE o.goal_id = i.goal_id AND o.message_id <> i.message_id
          AND o.voice = 'person' AND o.taken_by_turn IS NULL) AS leads_alone
    FROM inbox i WHERE goal_id = ${goalId} AND message_id = ${messageId}
      AND kind = 'message' AND voice IN ('person', 'agent')`;
  if (row === undefined) return null;
  return {
    kind: 'message',
    sentBy: row.sent_by,
    voice: row.voice === 'person' ? 'person' : 'agent',
    turn: row.taken_by_turn,
    leadsAlone: row.leads_alone,
  };
}

/**
 * This statement decides between the person and the turn that would read it: each takes only what
 * nobody has.
 * @throws Refusal where a turn was first
 */
export async function takeBack(
  tx: Transaction,
  goalId: string,
  { messageId, by }: Extract<Mutation, { kind: 'take_back' }>,
): Promise<void> {
  const taken = await tx`
    UPDATE inbox SET taken_by_turn = 0, taken_back_by = ${by}, taken_back_at = now()
    WHERE goal_id = ${goalId} AND message_id = ${messageId} AND taken_by_turn IS NULL`;
  if (taken.count === 1) return;
  const [row] = await tx<Row<'inbox', 'taken_by_turn'>[]>`
    SELECT taken_by_turn FROM inbox WHERE goal_id = ${goalId} AND message_id = ${messageId}`;
  throw wasRead(messageId, row?.taken_by_turn ?? 0);
}
