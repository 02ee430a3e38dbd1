import { attachmentRefOf } from '../../contract/attachments.ts';
import type { Compaction, Conversation } from '../../contract/compaction-record.ts';
import type { RequestedCall, StoredMessage } from '../../contract/conversation.ts';
import type { JournalPort } from '../../contract/journal.ts';
import type { Recalled } from '../../contract/tool-call.ts';
import { readContents } from '../attachments/contents.ts';
import type { Database, Executor } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storable, storableText } from '../json.ts';
import { isRowIntact } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from '../ledger/ledger-row.ts';
import { readOutput } from '../ledger/outputs.ts';
import { type Started, sealedFrom, startSeal } from '../ledger/sealed-from.ts';
import { changingUsage, type UsageHeads } from '../ledger/usage-seal.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { endStep } from './journal-steps.ts';

type Compactions = Pick<JournalPort, 'commitCompaction'>;
type Reads = Pick<JournalPort, 'conversation' | 'recall'>;

/** Stores compactions: one row each, with the call that wrote its notes. */
export function journalCompactions(db: Database, usage: UsageHeads): Compactions {
  return {
    async commitCompaction(fence, { call, compaction, ...done }) {
      const { goalId } = fence;
      const { number, notes, notesBy, replacedThrough, ...shown } = compaction;
      const { turn, step, reason, model, tokensBefore, tokensAfter, activeMs } = done;
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        if (call !== null) {
          const place = { ...call, turn, kind: 'compaction' } as const;
          const ended = { ...place, state: 'committed', error: null, message: null } as const;
          await changingUsage(tx, usage.keys, goalId, () =>
            endStep(tx, usage.keys, fence, { ...ended, activeMs }),
          );
        }
        const row = {
          ...{ goal_id: goalId, number, turn, step, reason, model },
          notes: notes === null ? null : storableText(notes),
          ...{ notes_by: notesBy, replaced_through: replacedThrough },
          ...{ tokens_before: tokensBefore, tokens_after: tokensAfter },
        };
        const seal = sealWritten(usage.keys, 'compaction', { ...row, shown });
        const stored = await tx`
          INSERT INTO compaction ${tx({ ...row, shown: tx.json(storable(shown)), seal })}
          ON CONFLICT (goal_id, number) DO NOTHING`;
        if (stored.count === 0) return;
        const data = { turn, step, number, reason, tokensBefore, tokensAfter };
        await appendEvents(tx, goalId, [{ type: 'conversation.compacted', data }]);
      });
    },
  };
}

export function compactionReads(db: Database, keys: LedgerKeys): Reads {
  return {
    async conversation(goalId): Promise<Conversation> {
      const compaction = await readCompaction(db, goalId);
      const messages = await db<StoredMessage[]>`
        SELECT seq, turn, step, voice, content FROM message
        WHERE goal_id = ${goalId}
          AND (seq > ${compaction?.replacedThrough ?? 0} OR voice = 'person')
        ORDER BY seq`;
      return { compaction, messages: withoutCutTries(messages) };
    },

    async recall(goalId, ref, range) {
      if (/^a[0-9a-f]{16}$/.test(ref)) return recallFile(db, goalId, ref.slice(1), range);
      const seq = /^m(\d{1,9})$/.exec(ref)?.[1];
      return seq === undefined
        ? await recallCall(db, keys, goalId, ref, range)
        : partOf(await messageText(db, goalId, Number(seq)), range);
    },
  };
}

type CompactionRow = Pick<Compaction, 'number' | 'notes' | 'notesBy' | 'replacedThrough'> & {
  readonly rest: Omit<Compaction, 'number' | 'notes' | 'notesBy' | 'replacedThrough'>;
};

/** @param number of the one that is read; absent = the newest */
export async function readCompaction(
  sql: Executor,
  goalId: string,
  number?: number,
): Promise<Compaction | null> {
  const [row] = await sql<CompactionRow[]>`
    SELECT number, notes, notes_by AS "notesBy", replaced_through AS "replacedThrough",
      shown AS rest
    FROM compaction WHERE goal_id = ${goalId}
      ${number === undefined ? sql`` : sql`AND number = ${number}`}
    ORDER BY number DESC LIMIT 1`;
  if (row === undefined) return null;
  const { rest, ...own } = row;
  return { ...own, ...rest };
}

/** Partial answers of failed tries are dropped once a later try of the step ended. */
export function withoutCutTries(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const placeOf = ({ turn, step }: StoredMessage) => `${turn}.${step}`;
  const whole = new Set(
    messages.filter(({ voice, content }) => voice === 'model' && !content.isError).map(placeOf),
  );
  return messages.filter(
    (message) =>
      message.voice !== 'model' || !message.content.isError || !whole.has(placeOf(message)),
  );
}

type Range = Parameters<JournalPort['recall']>[2];

function partOf(text: string | null, { offset, limit }: Range): Recalled | null {
  if (text === null) return null;
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, part: bytes.subarray(offset, offset + limit) };
}

/** A file that the goal holds, by the beginning of its hash. */
async function recallFile(
  sql: Executor,
  goalId: string,
  beginning: string,
  range: Range,
): Promise<Recalled | null> {
  const [held] = await sql<Row<'goal_attachment', 'ref'>[]>`
    SELECT ref FROM goal_attachment WHERE goal_id = ${goalId} AND sha256 LIKE ${`${beginning}%`}
    ORDER BY number LIMIT 1`;
  if (held === undefined) return null;
  const { ref } = held;
  const content = (await readContents(sql, goalId, [ref.sha256])).get(ref.sha256);
  if (content === undefined) return null;
  const { byteLength: bytes } = content;
  if (ref.mediaType === 'text/plain') {
    return { bytes, part: content.subarray(range.offset, range.offset + range.limit) };
  }
  if (ref.mediaType.startsWith('image/')) {
    return { bytes, part: new Uint8Array(), image: { ...ref, content } };
  }
  return partOf(`${ref.name} is neither text nor an image: only its name is known`, range);
}

type MessageRow = Row<'message', 'turn' | 'voice' | 'content'>;

async function messageText(sql: Executor, goalId: string, seq: number): Promise<string | null> {
  const [row] = await sql<MessageRow[]>`
    SELECT turn, voice, content FROM message WHERE goal_id = ${goalId} AND seq = ${seq}`;
  if (row === undefined) return null;
  const { turn, voice, content } = row;
  const files = (content.attachments ?? []).map(
    (file) => `attached: ${file.name} (${file.mediaType}, ref ${attachmentRefOf(file)})`,
  );
  const calls = (content.calls ?? []).map(callText);
  return [`(turn ${turn}, ${voice})`, content.text, ...files, ...calls].join('\n');
}

const callText = ({ callId, tool, input }: RequestedCall): string => `${callId} ${tool} ${input}`;

async function recallCall(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  callId: string,
  range: Range,
): Promise<Recalled | null> {
  const rows = await sql<(StoredLedgerRow & Started)[]>`
    SELECT l.*, ${startSeal(sql, sql`l.goal_id`)} AS start FROM ledger l
    WHERE l.goal_id = ${goalId} AND l.call_id = ${callId} AND l.phase = 'settled'
      AND l.output_ref IS NOT NULL ORDER BY l.seq`;
  const ours = rows.find(({ start, ...row }) =>
    isRowIntact(toLedgerRow(row), keys, sealedFrom(keys, start)),
  );
  if (ours !== undefined) {
    const bytes = ours.body.receipt?.outputBytes ?? 0;
    const limit = Math.max(0, Math.min(range.limit, bytes - range.offset));
    const parts: Buffer[] = [];
    for await (const part of readOutput(sql, ours.output_ref ?? '', { ...range, limit }))
      parts.push(part);
    return { bytes, part: Buffer.concat(parts) };
  }
  const [message] = await sql<{ text: string }[]>`
    SELECT content->>'text' AS text FROM message
    WHERE goal_id = ${goalId} AND voice = 'tool' AND content->>'callId' = ${callId}
    ORDER BY seq LIMIT 1`;
  return partOf(message?.text ?? null, range);
}
