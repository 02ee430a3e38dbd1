import type { LedgerRow } from '../../schema/ledger.ts';

/**
 * Paths that earlier runs of the host wrote in this goal, except those that the model's tools also
 * write: a formatter among the checks changes work that earlier checks saw unformatted.
 */
export function ownWritesIn(rows: readonly LedgerRow[]): Set<string> {
  const own = new Set(rows.flatMap(({ receipt }) => receipt?.ownWrites ?? []));
  for (const { tool, receipt } of rows) {
    if (tool !== 'write_file' && tool !== 'edit_file') continue;
    for (const path of receipt?.writes ?? []) own.delete(path);
  }
  return own;
}
