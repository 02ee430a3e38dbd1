import { randomBytes } from 'node:crypto';
import type { DB } from '../generated/tables.ts';
import { canonicalStorable } from '../json.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';

/**
 * Rows that are written once bear their own seal, made with the row in the statement that adds it:
 * whoever writes to the database adds none, and the service's own user of it changes and removes
 * none. Numbers that a statement gives to its rows are in no seal; where rows have nothing else that
 * tells them apart, a unique index keeps each seal from standing twice.
 */
const SEALED_COLUMNS = {
  message: ['goal_id', 'turn', 'step', 'voice', 'content'],
  compaction: [
    ...(['goal_id', 'number', 'turn', 'step', 'reason', 'model', 'shown', 'notes'] as const),
    ...(['notes_by', 'replaced_through', 'tokens_before', 'tokens_after'] as const),
  ],
  inbox: [
    ...(['message_id', 'goal_id', 'kind', 'voice', 'text', 'delivery', 'question_id'] as const),
    'attachments',
  ],
  todo_list: ['goal_id', 'items', 'call_id'],
  requirement_list: ['goal_id', 'items', 'call_id'],
  plan: ['goal_id', 'markdown', 'call_id'],
  goal_attachment: ['goal_id', 'sha256', 'source', 'source_id', 'ref'],
  checkpoint: [
    ...(['goal_id', 'name', 'turn', 'kind', 'commit_hash', 'write_seq', 'todo_revision'] as const),
    ...(['changed', 'left_out', 'unread'] as const),
  ],
  approval: ['approval_id', 'goal_id', 'kind', 'turn', 'call_id', 'data'],
  question: ['question_id', 'goal_id', 'turn', 'call_id', 'text', 'options', 'default_answer'],
  rewind: ['goal_id', 'commit_id', 'checkpoint', 'turn', 'ordered_by'],
  notification: ['notification_id', 'goal_id', 'type', 'body'],
  schedule_run: ['schedule_id', 'due_at', 'asked_by'],
} as const satisfies { readonly [Table in keyof DB]?: readonly (keyof DB[Table])[] };

export type WrittenTable = keyof typeof SEALED_COLUMNS;

export const WRITTEN_TABLES = Object.keys(SEALED_COLUMNS) as WrittenTable[];

type SealedColumn<Table extends WrittenTable> = (typeof SEALED_COLUMNS)[Table][number];

const DECIDED = 'the goal’s own seals cover what was decided';

/** All other columns are free, and why. A new one is a type error here. */
export const FREE_WRITTEN_COLUMNS: {
  readonly [Table in WrittenTable]: Readonly<
    Record<Exclude<keyof DB[Table], SealedColumn<Table> | 'seal'>, string>
  >;
} = {
  message: { seq: 'the statement gives it: a seal stands once', created_at: 'is shown' },
  compaction: { at: 'is shown' },
  inbox: {
    taken_by_turn: 'the database lets a turn take it once',
    sent_by: 'the order that brought it names them',
    led_on: 'whether the goal pauses again where it is taken back',
    taken_back_by: 'the order that took it back names them, and the database sets it once',
    taken_back_at: 'the same',
    created_at: 'is shown',
    seq: 'the statement gives it',
  },
  todo_list: { revision: 'the statement gives it: a seal stands once', created_at: 'is shown' },
  requirement_list: {
    revision: 'the statement gives it: a seal stands once',
    created_at: 'is shown',
  },
  plan: { revision: 'the statement gives it: a seal stands once', created_at: 'is shown' },
  goal_attachment: { added_at: 'is shown', number: 'the statement gives it' },
  checkpoint: { number: 'the statement gives it', created_at: 'is shown' },
  approval: {
    ...{
      state: DECIDED,
      decided_by: DECIDED,
      note: DECIDED,
      decided_at: DECIDED,
      accepted: DECIDED,
    },
    created_at: 'is shown',
  },
  question: {
    ...{ answer: DECIDED, answered_by: DECIDED, answered_at: DECIDED },
    created_at: 'is shown',
  },
  rewind: {
    number: 'the statement gives it: a commit has one',
    state: 'whether it is over: the ledger says what was done',
    write_seq: 'tells that others wrote meanwhile',
    result: 'is shown',
    created_at: 'is shown',
    ended_at: 'is shown',
  },
  notification: { is_addressed: 'whether deliveries exist yet', created_at: 'orders the outbox' },
  schedule_run: {
    state: 'a due time acts once, by the id of what it starts',
    reason: 'is shown',
    count: 'is shown',
    goal_id: 'is shown: the id of what a due time starts is computed from it',
    message_id: 'is shown',
    decided_at: 'is shown',
    settled_at: 'is shown',
  },
};

/** What a seal covers, as it is stored or about to be; absent columns are null. */
export type Written<Table extends WrittenTable> = {
  readonly [Column in SealedColumn<Table>]: unknown;
};

/** A time has many spellings. */
const sealedValue = (column: string, value: unknown): unknown =>
  column.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value;

const sealOf = (
  key: LedgerKey,
  table: WrittenTable,
  nonce: string,
  row: { readonly [column: string]: unknown },
): string => {
  const columns = SEALED_COLUMNS[table].map((column) => sealedValue(column, row[column] ?? null));
  const digest = digestUnder(key, (hmac) =>
    hmac.update(canonicalStorable(['written', table, nonce, columns])),
  );
  return `${nonce}.${digest}`;
};

const ofProcess = randomBytes(6).toString('hex');
let count = 0;

/**
 * One of its own for each row. They count up, so that the index by which a seal stands once grows at
 * one place: random ones would each touch another page of it.
 */
function nextNonce(): string {
  count += 1;
  return ofProcess + count.toString(16).padStart(8, '0');
}

/** For the row's column `seal`; null = there is no key. */
export function sealWritten<Table extends WrittenTable>(
  { sealing }: LedgerKeys,
  table: Table,
  row: Written<Table>,
): string | null {
  if (sealing === null) return null;
  return sealOf(sealing, table, nextNonce(), row);
}

/** Whether the service wrote the row as it stands. Without a key every row counts. */
export function isWritten<Table extends WrittenTable>(
  keys: LedgerKeys,
  table: Table,
  { seal, ...row }: Written<Table> & { readonly seal: string | null },
): boolean {
  if (keys.sealing === null) return true;
  if (seal === null) return false;
  const nonce = seal.slice(0, seal.indexOf('.'));
  const key = keys.find(keyIdOf(seal.slice(nonce.length + 1)) ?? '');
  return key !== undefined && sealOf(key, table, nonce, row) === seal;
}
