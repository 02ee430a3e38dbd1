import type { LedgerRow } from '../../schema/ledger.ts';

/**
 * Paths that earlier runs of the host wrote in this goal, without what the model's own tools write
 * as well: a formatter among the checks changes work, and the checks before it saw other files.
 */
export function ownWritesIn(rows: readonly LedgerRow[]): Set<string> {
  const own = new Set(rows.flatMap(({ receipt }) => receipt?.ownWrites ?? []));
  for (const { tool, receipt } of rows) {
    if (tool !== 'write_file' && tool !== 'edit_file') continue;
    for (const path of receipt?.writes ?? []) own.delete(path);
  }
  return own;
}
