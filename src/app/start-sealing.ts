import type { Database } from '../store/client.ts';
import { beginSealing } from '../store/ledger/begin-sealing.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';

interface Log {
  info(message: string): void;
  error(message: string): void;
}

/** Before a process with a key writes anything: all that is there has its seals. */
export async function startSealing(
  sql: Database,
  keys: LedgerKeys,
  log: Log | undefined,
): Promise<void> {
  const outcome = await beginSealing(sql, keys);
  if (outcome === 'begun') log?.info('what was in the record before the ledger key is sealed now');
  if (outcome !== 'lost') return;
  log?.error(
    'The database has seals, and the note of when they began is gone or by another key: goals ' +
      'without seals fail verification. Restore a backup, or put the former key behind the one in ' +
      'use: GOALKEEPER_LEDGER_KEY=NEW,OLD.',
  );
}
