import type { Database } from '../client.ts';
import type { ChainHead } from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { chainEntry, type LedgerEntry, type StoredLedgerRow } from './ledger-row.ts';

/** A head takes a few dozen bytes; the cap bounds a worker's memory over months. */
const MOST_HEADS = 10_000;

/** Chain heads cached in this process; valid unless another process wrote since. */
export interface LedgerHeads {
  readonly keys: LedgerKeys;
  /** The next row; storing it succeeds only behind the row that it names. */
  next(goalId: string, entry: LedgerEntry): Promise<StoredLedgerRow>;
  /** The row behind a head that a transaction has locked. */
  after(head: ChainHead, goalId: string, entry: LedgerEntry): StoredLedgerRow;
  stored(row: StoredLedgerRow): StoredLedgerRow;
  forget(goalId: string): void;
}

export function createLedgerHeads(db: Database, keys: LedgerKeys): LedgerHeads {
  const heads = new Map<string, ChainHead>();
  return {
    keys,
    async next(goalId, entry) {
      const head = heads.get(goalId) ?? (await readHead(db, goalId));
      return chainEntry(goalId, entry, head, keys.sealing);
    },
    after: (head, goalId, entry) => chainEntry(goalId, entry, head, keys.sealing),
    stored(row) {
      if (heads.size >= MOST_HEADS) heads.clear();
      heads.set(row.goal_id, { seq: row.seq, hash: row.hash });
      return row;
    },
    forget: (goalId) => heads.delete(goalId),
  };
}

async function readHead(db: Database, goalId: string): Promise<ChainHead> {
  const [row] = await db<ChainHead[]>`
    SELECT ledger_seq AS seq, ledger_head AS hash FROM journal WHERE goal_id = ${goalId}`;
  return row ?? { seq: 0, hash: '' };
}
