import type { CriterionEvidence } from '../contract/evidence.ts';

/** Evidence travels through Temporal, where nothing is larger than 8 KB; the ledger has it whole. */
const ALL_REASONS = 2400;
/** A mark of what is left out stands where there is room for it. */
const ROOM_FOR_MARK = 60;
const SHOWN_PATHS = 10;
const LONGEST_PATH = 120;

/**
 * Shortens reasons, more so when many criteria are open. What is met and asks a person is open as
 * well: its reason is what the person decides by.
 */
export function shortened(criteria: readonly CriterionEvidence[]): CriterionEvidence[] {
  const isOpen = ({ state, isHostChecked }: CriterionEvidence) => state !== 'met' || !isHostChecked;
  const open = criteria.filter(isOpen).length;
  const longest = Math.floor(ALL_REASONS / Math.max(1, open));
  const shortest = Math.min(200, Math.floor(ALL_REASONS / Math.max(1, criteria.length)));
  return criteria.map((criterion) => ({
    ...criterion,
    reason: cut(criterion.reason, isOpen(criterion) ? longest : shortest),
    ...(open > SHOWN_PATHS ? { remedy: undefined } : {}),
  }));
}

function cut(reason: string, most: number): string {
  if (reason.length <= most) return reason;
  if (most < ROOM_FOR_MARK) return reason.slice(0, most);
  // The mark's own length depends on the number in it.
  const markOf = (left: number) => ` … ${left} more characters`;
  let shown = most - markOf(reason.length).length;
  while (shown + 1 + markOf(reason.length - shown - 1).length <= most) shown += 1;
  return reason.slice(0, shown) + markOf(reason.length - shown);
}

export function shownPaths(paths: readonly string[]): string[] {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => path.slice(0, LONGEST_PATH));
  const left = paths.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more`];
}
