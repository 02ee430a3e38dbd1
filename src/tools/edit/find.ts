import { type Line, splitLines } from './lines.ts';
import { similarity } from './similarity.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Tier = 'exact' | 'whitespace' | 'fuzzy';

export type Found =
  | { readonly kind: 'found'; readonly tier: Tier; readonly spans: readonly Span[] }
  | { readonly kind: 'many'; readonly tier: Tier; readonly count: number }
  | { readonly kind: 'none'; readonly best: number | null };

const LEAST_SIMILARITY = 0.9;
/** Longer texts are looked for exactly and by whitespace only. */
const MAX_FUZZY_CHARACTERS = 20_000;

/** Exact, then the same but for whitespace, then alike: the first tier that finds it decides. */
export function findText(text: string, wanted: string, isEverywhere: boolean): Found {
  return (
    findExact(text, wanted, isEverywhere) ??
    findByWhitespace(text, wanted, isEverywhere) ??
    findAlike(text, wanted)
  );
}

function findExact(text: string, wanted: string, isEverywhere: boolean): Found | null {
  const step = isEverywhere ? wanted.length : 1;
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return pick('exact', spans, isEverywhere);
}

function findByWhitespace(text: string, wanted: string, isEverywhere: boolean): Found | null {
  const windows = windowsOf(text, wanted);
  if (windows === null) return null;
  const target = windows.wanted.join('\n');
  const equal = windows.all.filter((window) => window.normal === target);
  return pick('whitespace', isEverywhere ? withoutOverlaps(equal) : equal, isEverywhere);
}

function findAlike(text: string, wanted: string): Found {
  const windows = wanted.length > MAX_FUZZY_CHARACTERS ? null : windowsOf(text, wanted);
  if (windows === null) return { kind: 'none', best: null };
  const target = windows.wanted.join('\n');
  const scored = windows.all
    .map((window) => ({ ...window, score: similarity(target, window.normal, LEAST_SIMILARITY) }))
    .filter((window): window is typeof window & { score: number } => window.score !== null)
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  if (best === undefined) return { kind: 'none', best: null };
  // A long block is also alike to itself moved by a line: only a tie makes that ambiguous.
  const rivals = scored.filter((other) => other.score === best.score || !overlaps(other, best));
  return pick('fuzzy', rivals, false) ?? { kind: 'none', best: null };
}

interface Window extends Span {
  readonly normal: string;
}

/** Every run of as many lines as `wanted` has; null when that is only whitespace. */
function windowsOf(text: string, wanted: string): { wanted: string[]; all: Window[] } | null {
  const target = normalLines(wanted);
  if (target.every((line) => line === '')) return null;
  const endsLine = wanted.endsWith('\n');
  const lines = splitLines(text);
  const normal = lines.map(({ start, end }) => normalise(text.slice(start, end)));
  const all: Window[] = [];
  for (let first = 0; first + target.length <= lines.length; first += 1) {
    const last = lines[first + target.length - 1] as Line;
    all.push({
      start: (lines[first] as Line).start,
      end: endsLine ? last.next : last.end,
      normal: normal.slice(first, first + target.length).join('\n'),
    });
  }
  return { wanted: target, all };
}

function normalLines(text: string): string[] {
  return splitLines(text).map(({ start, end }) => normalise(text.slice(start, end)));
}

function normalise(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function pick(tier: Tier, found: readonly Span[], isEverywhere: boolean): Found | null {
  if (found.length === 0) return null;
  if (found.length > 1 && !isEverywhere) return { kind: 'many', tier, count: found.length };
  return { kind: 'found', tier, spans: found.map(({ start, end }) => ({ start, end })) };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function withoutOverlaps<Item extends Span>(spans: readonly Item[]): Item[] {
  const kept: Item[] = [];
  for (const span of spans) if ((kept.at(-1)?.end ?? 0) <= span.start) kept.push(span);
  return kept;
}
