import type { Row as Columns, PendingQuery } from 'postgres';
import type { Executor, Transaction } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/**
 * Rows that bear their own seal, under a key that the database doesn't have: whoever writes one
 * without it made nothing. A former content of the row holds again with its former seal, so this is
 * for what never changes, or is never taken back; for the rest see `counted-seal.ts`.
 */
interface Rows<Stored> {
  /** Names the row and its kind, too: no row's seal is another's. */
  readonly content: (row: Stored) => unknown;
  /** The rows that {@link isDue} holds for. */
  readonly read: (tx: Transaction, newest: string | null) => PromiseLike<readonly Stored[]>;
  /** Stores a seal in a row that is as it was read. */
  readonly keep: (tx: Transaction, row: Stored, seal: string) => PromiseLike<unknown>;
}

export type Fragment = PendingQuery<Columns[]>;

/** Has no seal (`newest` null), or one by another key than this prefix names. */
export const isDue = (sql: Executor, newest: string | null) => sql`
  CASE WHEN ${newest}::text IS NULL THEN seal IS NULL ELSE NOT starts_with(seal, ${newest}) END`;

type Bears = { readonly seal: string | null };

export function sealedRows<Stored extends Bears>({ content, read, keep }: Rows<Stored>) {
  const sealOf = (key: LedgerKey, row: Stored): string =>
    digestUnder(key, (digest) => digest.update(canonicalStorable(content(row))));

  /** Without a key nothing is sealed, and every row counts. */
  const isIntact = (keys: LedgerKeys, row: Stored): boolean =>
    keys.sealing === null || byAnyKey(keys, (key) => sealOf(key, row)).includes(row.seal ?? '');

  async function seal(tx: Transaction, { sealing }: LedgerKeys, row: Stored): Promise<void> {
    if (sealing !== null) await keep(tx, row, sealOf(sealing, row));
  }

  return {
    sealOf,
    isIntact,
    seal,

    /** Takes in what was there before seals covered it; later on, what has none is nothing. */
    async adopt(tx: Transaction, keys: LedgerKeys): Promise<void> {
      for (const row of await read(tx, null)) await seal(tx, keys, row);
    },

    /** Seals by the first key what a former one sealed, so that the former one may go. */
    async renew(tx: Transaction, keys: LedgerKeys): Promise<void> {
      for (const row of await read(tx, `${keys.sealing?.keyId}.`))
        if (isIntact(keys, row)) await seal(tx, keys, row);
    },
  };
}
