import type { LedgerRow } from '../../../schema/ledger.ts';
import type { ShownTodoList, TodoItem, TodoList } from '../../../schema/todo.ts';
import type { Freshness } from '../../../schema/turn.ts';
import type { Database } from '../client.ts';
import { readTodos } from '../journal/journal-reads.ts';
import type { Row } from '../row.ts';

const SHOWN_PATHS = 20;

type NewestWrite = Row<'ledger', 'seq' | 'at'> & {
  readonly paths: NonNullable<NonNullable<LedgerRow['receipt']>['writes']>;
};

/** The canonical list, with the newest write behind each completed item's receipts. */
export async function readShownTodos(db: Database, goalId: string): Promise<ShownTodoList> {
  const list = await readTodos(db, goalId);
  return withLaterWrites(db, goalId, list, MOST_ROWS);
}

const MOST_ROWS = 2_147_483_647;

/** @param upTo row of the ledger behind which nothing counts */
export async function withLaterWrites(
  db: Database,
  goalId: string,
  list: TodoList,
  upTo: number,
): Promise<ShownTodoList> {
  const isNeeded = list.items.some(({ status }) => status === 'completed');
  const write = isNeeded ? await readNewestWrite(db, goalId, upTo) : undefined;
  return { ...list, items: list.items.map((item) => withLaterWrite(item, write)) };
}

function withLaterWrite(item: TodoItem, write: NewestWrite | undefined) {
  const newest = item.receipts.at(-1);
  if (write === undefined || item.status !== 'completed' || newest === undefined) return item;
  if (write.seq <= Math.max(...item.receipts)) return item;
  return { ...item, writtenAfter: { seq: write.seq, paths: write.paths.slice(0, SHOWN_PATHS) } };
}

/** Receipts of criteria beside the newest write. */
export async function readFreshness(
  db: Database,
  goalId: string,
  seqs: readonly number[],
): Promise<Freshness> {
  const write = await readNewestWrite(db, goalId, MOST_ROWS);
  const receipts =
    seqs.length === 0
      ? []
      : await db<Freshness['receipts']>`
          SELECT seq, at, outcome FROM ledger
          WHERE goal_id = ${goalId} AND seq IN ${db([...seqs])} ORDER BY seq`;
  const lastWrite =
    write === undefined
      ? null
      : { seq: write.seq, at: write.at, paths: write.paths.slice(0, SHOWN_PATHS) };
  return { lastWrite, receipts: [...receipts] };
}

async function readNewestWrite(
  db: Database,
  goalId: string,
  upTo: number,
): Promise<NewestWrite | undefined> {
  const [write] = await db<NewestWrite[]>`
    SELECT seq, at, body#>'{receipt,writes}' AS paths FROM ledger
    WHERE goal_id = ${goalId} AND seq <= ${upTo} AND phase = 'settled'
      AND jsonb_array_length(coalesce(body#>'{receipt,writes}', '[]')) > 0
    ORDER BY seq DESC LIMIT 1`;
  return write;
}
