import type { LedgerRow } from '../../schema/ledger.ts';

/**
 * Tells whether another goal wrote to the workspace after row `seq`. The workspace counts all
 * writes, and each write and command of this goal stores the count after it, so a count that its
 * own rows don't explain comes from others.
 *
 * @param rows settled rows of this goal
 * @param writeSeq the workspace's count now
 */
export function hasForeignWriteAfter(
  seq: number,
  rows: readonly LedgerRow[],
  writeSeq: number,
): boolean {
  let count: number | undefined;
  for (const row of rows.toSorted((a, b) => a.seq - b.seq)) {
    const noted = row.receipt?.writeSeq;
    if (row.seq < seq || noted === undefined) continue;
    if (count !== undefined && noted !== count + (isWrite(row) ? 1 : 0)) return true;
    count = noted;
  }
  return count !== undefined && writeSeq !== count;
}

/** An end that was not seen counts as a write. */
function isWrite({ outcome, receipt }: LedgerRow): boolean {
  return outcome === 'unknown' || (receipt?.writes?.length ?? 0) > 0;
}
