import type { Transaction } from '../client.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { sealWritten, WRITTEN_TABLES, type Written, type WrittenTable } from './written-seal.ts';

const AT_ONCE = 1000;

interface Found {
  /** Where the row lies, until somebody changes it. */
  readonly place: string;
  readonly row: Written<WrittenTable>;
}

/** Takes in what was there before rows bore seals; later on, what has none is nobody's. */
export async function adoptWritten(tx: Transaction, keys: LedgerKeys): Promise<void> {
  for (const table of WRITTEN_TABLES) {
    // The driver's own cursor answers no other statement of its transaction until it is read.
    await tx.unsafe(
      `DECLARE unsealed CURSOR FOR SELECT ctid::text AS place, to_jsonb(t) AS row FROM "${table}" t
      WHERE seal IS NULL FOR UPDATE`,
    );
    for (;;) {
      const found = await tx.unsafe<Found[]>(`FETCH ${AT_ONCE} FROM unsealed`);
      if (found.length === 0) break;
      await seal(tx, keys, table, found);
    }
    await tx.unsafe('CLOSE unsealed');
  }
}

async function seal(
  tx: Transaction,
  keys: LedgerKeys,
  table: WrittenTable,
  found: readonly Found[],
): Promise<void> {
  const sealed = found.map(({ place, row }) => ({ place, seal: sealWritten(keys, table, row) }));
  await tx.unsafe(
    `UPDATE "${table}" t SET seal = s.seal
    FROM jsonb_to_recordset($1::jsonb) AS s(place text, seal text) WHERE t.ctid = s.place::tid`,
    [tx.json(sealed)],
  );
}
