import type { LedgerRow } from '../../schema/ledger.ts';

/**
 * Paths that earlier runs of the host wrote in this goal, except those that the model also wrote by
 * name: a formatter among the checks changes work that earlier checks saw unformatted. Hashes stand
 * in the receipts of calls that planned their write, and of commands.
 */
export function ownWritesIn(rows: readonly LedgerRow[]): Set<string> {
  const own = new Set(rows.flatMap(({ receipt }) => receipt?.ownWrites ?? []));
  for (const { receipt } of rows) {
    if (receipt?.command !== undefined) continue;
    for (const path of Object.keys(receipt?.hashes ?? {})) own.delete(path);
  }
  return own;
}
