import { diffWordsWithSpace } from 'diff';
import { common, createLowlight } from 'lowlight';
import type { DiffHunk } from '../../../../schema/unified-diff.ts';
import {
  changesIn,
  type DiffRow,
  type Piece,
  rowsOf,
  type SyntaxKind,
} from '../../view/diff-rows.ts';

const lowlight = createLowlight(common);

/** Longer lines are shown as they are. */
const MAX_WIDTH = 1000;
/** Of partners that have less than this in common, everything differs: marks would say nothing. */
const LEAST_IN_COMMON = 0.5;

const KINDS: readonly (readonly [RegExp, SyntaxKind])[] = [
  [/^hljs-(?:comment|quote|meta|doctag)/, 'comment'],
  [/^hljs-(?:string|regexp|attr|symbol|link|code)/, 'string'],
  [/^hljs-(?:number|literal)/, 'number'],
  [/^hljs-(?:title|function|section|selector-class|selector-id|property)/, 'function'],
  [/^hljs-(?:keyword|built_in|type|tag|name|selector-tag|bullet|operator)/, 'keyword'],
];

/** From one place in a line to another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every line of a hunk in pieces, by its place in the hunk. */
export function piecesOf(hunk: DiffHunk, language: string | null): (readonly Piece[])[] {
  const rows = rowsOf(hunk);
  const kinds = kindsOf(rows, language);
  const marks = marksOf(rows);
  const pieces: (readonly Piece[])[] = hunk.lines.map(() => []);
  for (const row of rows) {
    pieces[row.index] = cut(row.text, kinds.get(row.index) ?? [], marks.get(row.index) ?? []);
  }
  return pieces;
}

type Kinds = readonly (SyntaxKind | null)[];

/** What each character of each line is; both sides are read as texts of their own. */
function kindsOf(rows: readonly DiffRow[], language: string | null): Map<number, Kinds> {
  const kinds = new Map<number, Kinds>();
  if (language === null || !lowlight.registered(language)) return kinds;
  for (const other of ['+', '-'] as const) {
    const side = rows.filter(({ sign, text }) => sign !== other && text.length <= MAX_WIDTH);
    const lines = linesIn(side.map(({ text }) => text).join('\n'), language);
    for (const [at, { index }] of side.entries()) kinds.set(index, lines[at] ?? []);
  }
  return kinds;
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

function linesIn(text: string, language: string): Kinds[] {
  const lines: (SyntaxKind | null)[][] = [[]];
  const walk = (node: Node, kind: SyntaxKind | null): void => {
    if (node.type === 'text') {
      for (const character of node.value.split('')) {
        if (character === '\n') lines.push([]);
        else lines.at(-1)?.push(kind);
      }
    } else if (node.type === 'element') {
      const [name = ''] = [node.properties.className].flat();
      const own = KINDS.find(([pattern]) => pattern.test(String(name)))?.[1] ?? kind;
      for (const child of node.children) walk(child as Node, own);
    }
  };
  for (const child of lowlight.highlight(language, text).children) walk(child, null);
  return lines;
}

/** Where each line differs from its partner. */
function marksOf(rows: readonly DiffRow[]): Map<number, Span[]> {
  const marks = new Map<number, Span[]>();
  for (const { removed, added } of changesIn(rows)) {
    for (const [at, before] of removed.entries()) {
      const after = added[at];
      if (after === undefined || Math.max(before.text.length, after.text.length) > MAX_WIDTH)
        continue;
      const found = differing(before.text, after.text);
      if (found === null) continue;
      marks.set(before.index, found.removed);
      marks.set(after.index, found.added);
    }
  }
  return marks;
}

function differing(before: string, after: string) {
  const removed: Span[] = [];
  const added: Span[] = [];
  let [old, young, same] = [0, 0, 0];
  for (const part of diffWordsWithSpace(before, after)) {
    const { length } = part.value;
    if (part.removed) removed.push({ from: old, to: old + length });
    else if (part.added) added.push({ from: young, to: young + length });
    else same += part.value.trim().length;
    if (!part.added) old += length;
    if (!part.removed) young += length;
  }
  const least = Math.min(before.trim().length, after.trim().length);
  return same < least * LEAST_IN_COMMON || same === 0 ? null : { removed, added };
}

function cut(text: string, kinds: Kinds, marks: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  const isMarked = (at: number) => marks.some(({ from, to }) => at >= from && at < to);
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    const isSame =
      at < text.length &&
      (kinds[at] ?? null) === (kinds[from] ?? null) &&
      isMarked(at) === isMarked(from);
    if (isSame) continue;
    pieces.push({
      text: text.slice(from, at),
      kind: kinds[from] ?? null,
      isMarked: isMarked(from),
    });
    from = at;
  }
  return pieces;
}
