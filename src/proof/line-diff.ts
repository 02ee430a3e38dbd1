/** A place where lines were taken out, put in, or both. */
export interface Hunk {
  /** Index of the first line in the old and in the new text. */
  readonly at: number;
  readonly newAt: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Above this many line pairs the middle counts as one replaced block. */
const MAX_PAIRS = 4_000_000;

/** The places in which two texts differ, in order. */
export function diffLines(before: string, after: string): Hunk[] {
  const old = linesOf(before);
  const young = linesOf(after);
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < young.length - start &&
    old[old.length - 1 - end] === young[young.length - 1 - end]
  ) {
    end += 1;
  }
  const removed = old.slice(start, old.length - end);
  const added = young.slice(start, young.length - end);
  if (removed.length === 0 && added.length === 0) return [];
  if (removed.length * added.length > MAX_PAIRS) {
    return [{ at: start, newAt: start, removed, added }];
  }
  return hunksOf(removed, added, start).map((hunk) => slideDown(hunk, old));
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

/** By the longest common subsequence of the two blocks. */
function hunksOf(removed: readonly string[], added: readonly string[], offset: number): Hunk[] {
  const common = commonLengths(removed, added);
  const width = added.length + 1;
  const hunks: Hunk[] = [];
  let row = 0;
  let column = 0;
  while (row < removed.length || column < added.length) {
    if (row < removed.length && column < added.length && removed[row] === added[column]) {
      row += 1;
      column += 1;
      continue;
    }
    const [fromRow, fromColumn] = [row, column];
    while (
      (row < removed.length || column < added.length) &&
      !(row < removed.length && column < added.length && removed[row] === added[column])
    ) {
      const down = row < removed.length ? (common[(row + 1) * width + column] ?? 0) : -1;
      const right = column < added.length ? (common[row * width + column + 1] ?? 0) : -1;
      if (down >= right) row += 1;
      else column += 1;
    }
    hunks.push({
      at: offset + fromRow,
      newAt: offset + fromColumn,
      removed: removed.slice(fromRow, row),
      added: added.slice(fromColumn, column),
    });
  }
  return hunks;
}

/** Cell (row, column): how many lines the rests of both blocks have in common, in order. */
function commonLengths(removed: readonly string[], added: readonly string[]): Uint32Array {
  const width = added.length + 1;
  const table = new Uint32Array((removed.length + 1) * width);
  for (let row = removed.length - 1; row >= 0; row -= 1) {
    for (let column = added.length - 1; column >= 0; column -= 1) {
      const isSame = removed[row] === added[column];
      table[row * width + column] = isSame
        ? (table[(row + 1) * width + column + 1] ?? 0) + 1
        : Math.max(table[(row + 1) * width + column] ?? 0, table[row * width + column + 1] ?? 0);
    }
  }
  return table;
}

const MAX_DIFF_LINES = 200;
const MAX_DIFF_WIDTH = 300;

/** What people read: each hunk under its line numbers, cut where it becomes too long to read. */
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
