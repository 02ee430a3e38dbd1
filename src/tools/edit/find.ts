import { alikeLines } from './alike.ts';
import type { Effort } from './similarity.ts';
import { normaliseLine, type TextIndex } from './text-index.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `lineEnds` = exact, but for `\r\n` and `\n`. */
export type Tier = 'exact' | 'lineEnds' | 'whitespace' | 'fuzzy';

export type TextMatch =
  | { readonly kind: 'found'; readonly tier: Tier; readonly spans: readonly Span[] }
  | { readonly kind: 'many'; readonly tier: Tier; readonly spans: readonly Span[] }
  | { readonly kind: 'none' }
  /** The search for similar text would take too long. */
  | { readonly kind: 'effort' };

const LEAST_SIMILARITY = 0.9;
/** Longer texts are looked for exactly and by whitespace only. */
const MAX_FUZZY_CHARACTERS = 20_000;
/** In a file with more lines, only exact matches are looked for. */
const MAX_LINES = 300_000;
/** The most places that are reported or replaced. */
export const MAX_TOLD = 1000;
export const MAX_REPLACED = 100_000;

/** The tiers are exact, equal but for whitespace, and similar; the first with a match decides. */
export function findText(
  index: TextIndex,
  wanted: string,
  isEverywhere: boolean,
  effort: Effort,
): TextMatch {
  const exact =
    findExact(index, wanted, isEverywhere) ?? findByLineEnds(index, wanted, isEverywhere);
  if (exact !== null) return exact;
  const lines = normalLinesOf(wanted);
  if (lines.every((line) => line === '')) return { kind: 'none' };
  if (index.lines.count > MAX_LINES) return { kind: 'effort' };
  return (
    findByWhitespace(index, wanted, lines, isEverywhere, effort) ??
    findAlike(index, wanted, lines, effort)
  );
}

function findExact({ text }: TextIndex, wanted: string, isEverywhere: boolean): TextMatch | null {
  const whole = placesOf(text, wanted, isEverywhere).filter((span) => !cutsCharacter(text, span));
  return pick('exact', whole, isEverywhere);
}

function findByLineEnds(index: TextIndex, wanted: string, isEverywhere: boolean): TextMatch | null {
  const canDiffer = wanted.includes('\n') && (index.hasReturns || wanted.includes('\r\n'));
  if (!canDiffer) return null;
  const { text, original } = index.flat;
  const spans = placesOf(text, wanted.replaceAll('\r\n', '\n'), isEverywhere)
    .map(({ start, end }) => ({ start: original(start), end: original(end) }))
    .filter((span) => !cutsCharacter(index.text, span));
  return pick('lineEnds', spans, isEverywhere);
}

function placesOf(text: string, wanted: string, isEverywhere: boolean): Span[] {
  const step = isEverywhere ? wanted.length : 1;
  const most = isEverywhere ? MAX_REPLACED : MAX_TOLD;
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    spans.push({ start: at, end: at + wanted.length });
    if (spans.length > most) break;
  }
  return spans;
}

/** Half of a surrogate pair, or of a line end, is no place for an edit. */
function cutsCharacter(text: string, { start, end }: Span): boolean {
  return [start, end].some((at) =>
    /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(0, at - 1), at + 1)),
  );
}

function findByWhitespace(
  index: TextIndex,
  wanted: string,
  lines: readonly string[],
  isEverywhere: boolean,
  effort: Effort,
): TextMatch | null {
  const { ids, idOf } = index.normal;
  const target = lines.map((line) => idOf.get(line) ?? -1);
  if (target.includes(-1)) return null;
  effort.spend(ids.length);
  const runs = runsOf(ids, target, isEverywhere ? MAX_REPLACED : MAX_TOLD);
  const spans = runs.map((first) => spanOf(index, first, lines.length, wanted));
  return pick('whitespace', isEverywhere ? withoutOverlaps(spans) : spans, isEverywhere);
}

/**
 * The places at which `target` begins in `ids` (Knuth, Morris and Pratt: linear also where lines
 * repeat).
 */
function runsOf(ids: Int32Array, target: readonly number[], most: number): number[] {
  const back = new Int32Array(target.length);
  for (let at = 1, kept = 0; at < target.length; at += 1) {
    while (kept > 0 && target[at] !== target[kept]) kept = back[kept - 1] as number;
    if (target[at] === target[kept]) kept += 1;
    back[at] = kept;
  }
  const found: number[] = [];
  for (let at = 0, kept = 0; at < ids.length && found.length <= most; at += 1) {
    while (kept > 0 && ids[at] !== target[kept]) kept = back[kept - 1] as number;
    if (ids[at] === target[kept]) kept += 1;
    if (kept < target.length) continue;
    found.push(at - target.length + 1);
    kept = back[kept - 1] as number;
  }
  return found;
}

function findAlike(
  index: TextIndex,
  wanted: string,
  lines: readonly string[],
  effort: Effort,
): TextMatch {
  if (wanted.length > MAX_FUZZY_CHARACTERS) return { kind: 'none' };
  const alike = alikeLines(index.normal, lines, LEAST_SIMILARITY, effort);
  if (alike === null) return { kind: 'effort' };
  const scored = alike
    .map(({ first, score }) => ({ ...spanOf(index, first, lines.length, wanted), score }))
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  if (best === undefined) return { kind: 'none' };
  // A long block is also similar to itself shifted by a line, so only a tie is ambiguous.
  const rivals = scored.filter((other) => other.score === best.score || !overlaps(other, best));
  return pick('fuzzy', rivals, false) ?? { kind: 'none' };
}

function spanOf({ lines }: TextIndex, first: number, count: number, wanted: string): Span {
  const last = first + count - 1;
  const end = wanted.endsWith('\n') ? lines.next(last) : lines.end(last);
  return { start: lines.start(first), end };
}

function normalLinesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(normaliseLine);
}

function pick(tier: Tier, found: readonly Span[], isEverywhere: boolean): TextMatch | null {
  if (found.length === 0) return null;
  const spans = found.map(({ start, end }) => ({ start, end }));
  const isTooMany = found.length > (isEverywhere ? MAX_REPLACED : 1);
  return { kind: isTooMany ? 'many' : 'found', tier, spans };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if ((kept.at(-1)?.end ?? 0) <= span.start) kept.push(span);
  return kept;
}
