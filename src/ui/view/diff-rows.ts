import { type DiffHunk, numbered } from '../../../schema/unified-diff.ts';

/** A line of a diff as it is shown. */
export interface DiffRow {
  /** Place in the hunk's lines. */
  readonly index: number;
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
  /** What the diff says of this line, such as that no line break ends it. */
  readonly note: string | null;
}

/** A place of a line-by-line comparison; null = nothing stands there on this side. */
export interface SplitRow {
  readonly left: DiffRow | null;
  readonly right: DiffRow | null;
}

export function rowsOf(hunk: DiffHunk): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const [index, line] of numbered(hunk).entries()) {
    const { sign, text, before, after } = line;
    const last = rows.at(-1);
    if (sign === '+' || sign === '-' || sign === ' ') {
      rows.push({ index, sign, text, before, after, note: null });
    } else if (last !== undefined) rows[rows.length - 1] = { ...last, note: text.trim() };
  }
  return rows;
}

/** Runs of removed lines, each with the added ones that took their place. */
export function changesIn(
  rows: readonly DiffRow[],
): { readonly removed: readonly DiffRow[]; readonly added: readonly DiffRow[] }[] {
  const blocks: { removed: DiffRow[]; added: DiffRow[] }[] = [];
  let open: (typeof blocks)[number] | null = null;
  for (const row of rows) {
    if (row.sign === ' ') open = null;
    else {
      if (open === null || (row.sign === '-' && open.added.length > 0)) {
        open = { removed: [], added: [] };
        blocks.push(open);
      }
      (row.sign === '-' ? open.removed : open.added).push(row);
    }
  }
  return blocks;
}

/** The n-th line that went stands beside the n-th that came. */
export function splitRows(rows: readonly DiffRow[]): SplitRow[] {
  const blocks = changesIn(rows);
  const shown: SplitRow[] = [];
  const begun = new Map(
    blocks.map((block) => [(block.removed[0] ?? block.added[0])?.index, block]),
  );
  for (const row of rows) {
    if (row.sign === ' ') shown.push({ left: row, right: row });
    const block = begun.get(row.index);
    if (block === undefined) continue;
    const { removed, added } = block;
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      shown.push({ left: removed[at] ?? null, right: added[at] ?? null });
    }
  }
  return shown;
}

/** A piece of a line: its kind in the language, and whether it differs from its partner. */
export interface Piece {
  readonly text: string;
  readonly kind: SyntaxKind | null;
  readonly isMarked: boolean;
}

export type SyntaxKind = 'keyword' | 'string' | 'number' | 'function' | 'comment';

const UNSEEN = /<U\+[0-9A-F]{4,6}>/;

/** Marks stand for characters that can't be seen or that move others. */
export const withMarks = (text: string): { readonly text: string; readonly isMark: boolean }[] =>
  text
    .split(/(<U\+[0-9A-F]{4,6}>)/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isMark: UNSEEN.test(part) }));
