import type { ChainVerdict } from '../api/types.ts';

/**
 * Of the verdict that comes with every page and the one over everything, which was asked for
 * earlier: a break is never covered, and what holds is said of no fewer rows than there are.
 */
export function verdictToShow(
  quick: ChainVerdict | null,
  whole: ChainVerdict | null,
): ChainVerdict | null {
  if (quick === null || whole === null) return whole ?? quick;
  if (!whole.holds) return whole;
  return !quick.holds || quick.rows > whole.rows ? quick : whole;
}
