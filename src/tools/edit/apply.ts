import { findText, MAX_REPLACED, MAX_TOLD, type Span, type TextMatch, type Tier } from './find.ts';
import { adaptLineEndings, positionOf } from './lines.ts';
import { Effort } from './similarity.ts';
import { normaliseLine, TextIndex } from './text-index.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
}

export type EditResult =
  | { readonly ok: true; readonly text: string; readonly tiers: readonly Tier[] }
  | { readonly ok: false; readonly reason: string };

interface Replacement extends Span {
  readonly edit: number;
  readonly newText: string;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Well below a second of comparing for all edits of a call together. */
const MAX_EFFORT = 60_000_000;
const MAX_CHARACTERS = 20_000_000;
const SHOWN_PLACES = 3;
const UNCHANGED = 'The file is unchanged';

/** All edits look for their place in the original text; either all of them are made or none. */
export function applyEdits(path: string, original: string, edits: readonly Edit[]): EditResult {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const index = new TextIndex(original.slice(mark.length));
  const effort = new Effort(MAX_EFFORT);
  const replacements: Replacement[] = [];
  const tiers: Tier[] = [];
  for (const [at, edit] of edits.entries()) {
    const found = findText(index, edit.oldText, edit.replaceAll === true, effort);
    if (found.kind !== 'found') {
      const why = whyNot(index, edit, found);
      return refuse(`edit ${at + 1} of ${path}: ${why}`);
    }
    tiers.push(found.tier);
    for (const span of found.spans) {
      const newText = insertion(index, span, edit, found.tier);
      replacements.push({ ...span, edit: at + 1, newText });
    }
  }
  replacements.sort((a, b) => a.start - b.start || a.end - b.end);
  const clash = overlapOf(index.text, replacements) ?? sizeOf(index.text, replacements);
  if (clash !== null) return refuse(`${path}: ${clash}`);
  const changed = mark + splice(index.text, replacements);
  if (changed === original) return { ok: false, reason: `${path}: the edits change nothing` };
  return { ok: true, text: changed, tiers };
}

function refuse(why: string): EditResult {
  return { ok: false, reason: `${why}. ${UNCHANGED}` };
}

function whyNot(
  index: TextIndex,
  edit: Edit,
  found: Exclude<TextMatch, { kind: 'found' }>,
): string {
  if (found.kind === 'many') return ambiguity(index.text, found, edit.replaceAll === true);
  if (found.kind === 'effort') {
    return 'its oldText is not in the file as quoted, and looking for something alike takes too long. Quote it exactly';
  }
  return `its oldText is not in the file${nearestLine(index, edit.oldText)}`;
}

function ambiguity(
  text: string,
  { tier, spans }: Extract<TextMatch, { kind: 'many' }>,
  isEverywhere: boolean,
): string {
  if (isEverywhere) return `its oldText matches more than ${MAX_REPLACED} places`;
  const how = { exact: '', lineEnds: '', whitespace: ', whitespace aside,', fuzzy: ' nearly' }[
    tier
  ];
  const shown = spans.slice(0, SHOWN_PLACES).map(({ start }) => positionOf(text, start));
  const where = `${shown.join(', ')}${spans.length > SHOWN_PLACES ? ', …' : ''}`;
  const way = tier === 'fuzzy' ? 'Quote' : 'Set replaceAll, or quote';
  const count = spans.length > MAX_TOLD ? `more than ${MAX_TOLD}` : spans.length;
  return `its oldText${how} matches ${count} places (${where}). ${way} more of the lines around it`;
}

/** The place of the first telling line of the wanted text, for a model that misremembers the rest. */
function nearestLine({ normal }: TextIndex, wanted: string): string {
  const telling = wanted
    .split('\n')
    .map(normaliseLine)
    .find((line) => line.length > 3);
  const id = telling === undefined ? undefined : normal.idOf.get(telling);
  return id === undefined ? '' : `; a line of it is line ${normal.ids.indexOf(id) + 1}`;
}

function insertion(index: TextIndex, span: Span, edit: Edit, tier: Tier): string {
  const { text, hasReturns } = index;
  const adapt = (lines: string): string =>
    hasReturns ? adaptLineEndings(lines, text, span.start) : lines;
  if (tier === 'exact') return adapt(edit.newText);
  const adapted = adapt(edit.newText.replaceAll('\r\n', '\n'));
  // A last line without a terminator stays without one.
  const lacksEnd = edit.oldText.endsWith('\n') && text[span.end - 1] !== '\n';
  return lacksEnd ? adapted.replace(/\r?\n$/, '') : adapted;
}

function overlapOf(text: string, sorted: readonly Replacement[]): string | null {
  for (const [index, next] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous === undefined || previous.end <= next.start) continue;
    const ranges = [previous, next].map((r) => `edit ${r.edit} (${rangeOf(text, r)})`);
    return `${ranges.join(' and ')} overlap`;
  }
  return null;
}

function sizeOf(text: string, replacements: readonly Replacement[]): string | null {
  const length = replacements.reduce(
    (sum, { start, end, newText }) => sum + newText.length - (end - start),
    text.length,
  );
  if (length <= MAX_CHARACTERS) return null;
  return `the edits would make it ${length} characters long, more than the limit of ${MAX_CHARACTERS}`;
}

function rangeOf(text: string, { start, end }: Span): string {
  return `${positionOf(text, start)}–${positionOf(text, end)}`;
}

function splice(text: string, sorted: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, newText } of sorted) {
    pieces.push(text.slice(at, start), newText);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}
