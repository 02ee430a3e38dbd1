import type { ChainVerdict } from '../api/types.ts';

/**
 * Combines the verdict that comes with every page with an earlier one over the whole ledger. A
 * break in either is always shown, and an intact verdict never claims fewer rows than exist.
 */
export function verdictToShow(
  quick: ChainVerdict | null,
  whole: ChainVerdict | null,
): ChainVerdict | null {
  if (quick === null || whole === null) return whole ?? quick;
  if (!whole.holds) return whole;
  return !quick.holds || quick.rows > whole.rows ? quick : whole;
}
