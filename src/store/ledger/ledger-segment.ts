import type { LedgerRow } from '../../../schema/ledger.ts';
import type { LedgerSegment } from '../../../schema/proof-bundle.ts';
import { hashRow } from './ledger-chain.ts';
import { keyIdOf } from './ledger-keys.ts';

type SegmentRow = LedgerSegment['rows'][number];

export const isWhole = (row: SegmentRow): row is LedgerRow => 'phase' in row;

export interface WalkedSegment {
  /** Rows whose content gives their hash. */
  readonly recomputed: number;
  /** Whole rows that a key of the installation seals: others can't compute their hash. */
  readonly sealed: number;
}

/**
 * Follows the rows by their hashes from the first to the head, without a database.
 * @returns what is wrong, in words, if they are no chain
 */
export function walkSegment({ previous, rows, head }: LedgerSegment): WalkedSegment | string {
  let [at, seq, recomputed, sealed] = [previous, rows[0]?.seq ?? 0, 0, 0];
  let isSealing = keyIdOf(previous) !== null;
  for (const row of rows) {
    if (row.seq !== seq) return `row ${seq} is missing`;
    const isSealed = keyIdOf(row.hash) !== null;
    if (isSealing && !isSealed) return `row ${seq} is not sealed although the one before it is`;
    isSealing = isSealed;
    if (isWhole(row)) {
      if (row.previous !== at) return `row ${seq} does not follow the row before it`;
      const { hash, ...unhashed } = row;
      if (!isSealed && hashRow(unhashed, null) !== hash) return `row ${seq} was edited`;
      if (isSealed) sealed += 1;
      else recomputed += 1;
    }
    at = row.hash;
    seq += 1;
  }
  if (head.seq !== seq - 1 || head.hash !== at) return `row ${seq - 1} is not the head`;
  return { recomputed, sealed };
}
