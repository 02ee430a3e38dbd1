import { findText, type Span, type Tier } from './find.ts';
import { adaptLineEndings, positionOf } from './lines.ts';

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

/** All edits look for their place in the original text; either all of them are made or none. */
export function applyEdits(path: string, original: string, edits: readonly Edit[]): EditResult {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = original.slice(mark.length);
  const replacements: Replacement[] = [];
  const tiers: Tier[] = [];
  for (const [index, edit] of edits.entries()) {
    const number = index + 1;
    const found = findText(text, edit.oldText, edit.replaceAll === true);
    if (found.kind === 'none') return refuse(number, path, 'its oldText is not in the file');
    if (found.kind === 'many') return refuse(number, path, ambiguity(found.tier, found.count));
    tiers.push(found.tier);
    for (const span of found.spans) {
      replacements.push({
        ...span,
        edit: number,
        newText: insertion(text, span, edit, found.tier),
      });
    }
  }
  replacements.sort((a, b) => a.start - b.start || a.end - b.end);
  const clash = overlapOf(text, replacements);
  if (clash !== null) return { ok: false, reason: `${path}: ${clash}` };
  const changed = mark + splice(text, replacements);
  if (changed === original) return { ok: false, reason: `${path}: the edits change nothing` };
  return { ok: true, text: changed, tiers };
}

function refuse(edit: number, path: string, why: string): EditResult {
  return { ok: false, reason: `edit ${edit} of ${path}: ${why}. The file is unchanged` };
}

function ambiguity(tier: Tier, count: number): string {
  const how = { exact: '', whitespace: ', whitespace aside,', fuzzy: ' nearly' }[tier];
  const way = tier === 'fuzzy' ? 'Quote' : 'Set replaceAll, or quote';
  return `its oldText${how} matches ${count} places. ${way} more of the lines around it`;
}

function insertion(text: string, span: Span, edit: Edit, tier: Tier): string {
  const adapted = adaptLineEndings(edit.newText, text, span.start);
  // A last line without a terminator stays without one.
  const lacksEnd = tier !== 'exact' && edit.oldText.endsWith('\n') && !endsLine(text, span.end);
  return lacksEnd ? adapted.replace(/\r?\n$/, '') : adapted;
}

function endsLine(text: string, offset: number): boolean {
  return text[offset - 1] === '\n';
}

function overlapOf(text: string, sorted: readonly Replacement[]): string | null {
  for (const [index, next] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous === undefined || previous.end <= next.start) continue;
    const ranges = [previous, next].map((r) => `edit ${r.edit} (${rangeOf(text, r)})`);
    return `${ranges.join(' and ')} overlap. The file is unchanged`;
  }
  return null;
}

function rangeOf(text: string, { start, end }: Span): string {
  return `${positionOf(text, start)}–${positionOf(text, end)}`;
}

function splice(text: string, sorted: readonly Replacement[]): string {
  let at = 0;
  let changed = '';
  for (const { start, end, newText } of sorted) {
    changed += text.slice(at, start) + newText;
    at = end;
  }
  return changed + text.slice(at);
}
