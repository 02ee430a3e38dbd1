import { type ArrayChange, diffArrays } from 'diff';

/** A place where lines were taken out, put in, or both. */
export interface Hunk {
  /** Index of the first line in the old and in the new text. */
  readonly at: number;
  readonly newAt: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** With more changed lines than this, the difference counts as one replaced block. */
const MOST_EDITS = 2000;

/** The places in which two texts differ, in order. */
export function diffLines(before: string, after: string): Hunk[] {
  const old = linesOf(before);
  const young = linesOf(after);
  const parts = diffArrays(old, young, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [oneBlock(old, young)];
  return hunksOf(parts).map((hunk) => slideDown(hunk, old));
}

/** The lines between the common start and the common end. */
function oneBlock(old: readonly string[], young: readonly string[]): Hunk {
  const most = Math.min(old.length, young.length);
  let start = 0;
  while (start < most && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = young.slice(start, young.length - end);
  return { at: start, newAt: start, removed, added };
}

/** New lines that may stand in several places stand in the last one: `});` ends what was there. */
function slideDown(hunk: Hunk, old: readonly string[]): Hunk {
  if (hunk.removed.length > 0) return hunk;
  let { at, newAt } = hunk;
  const added = [...hunk.added];
  while (at < old.length && added[0] === old[at]) {
    added.push(added.shift() ?? '');
    at += 1;
    newAt += 1;
  }
  return { ...hunk, at, newAt, added };
}

const linesOf = (text: string): string[] => {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

function hunksOf(parts: readonly ArrayChange<string>[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let newAt = 0;
  let open: { readonly removed: string[]; readonly added: string[] } | null = null;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) open = null;
    else if (open === null) {
      open = { removed: [], added: [] };
      hunks.push({ at, newAt, ...open });
    }
    if (removed) open?.removed.push(...value);
    if (added) open?.added.push(...value);
    if (!added) at += value.length;
    if (!removed) newAt += value.length;
  }
  return hunks;
}

const MAX_DIFF_LINES = 200;
const MAX_DIFF_WIDTH = 300;

/** The diff for people: each hunk under its line numbers, cut when it is too long. */
export function renderDiff(before: string | null, after: string | null): string {
  const hunks = diffLines(before ?? '', after ?? '');
  const lines = hunks.flatMap(({ at, newAt, removed, added }) => [
    `@@ -${at + 1},${removed.length} +${newAt + 1},${added.length} @@`,
    ...removed.map((line) => `-${line.slice(0, MAX_DIFF_WIDTH)}`),
    ...added.map((line) => `+${line.slice(0, MAX_DIFF_WIDTH)}`),
  ]);
  const left = lines.length - MAX_DIFF_LINES;
  const shown = left > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${left} more lines`] : lines;
  return shown.join('\n');
}
