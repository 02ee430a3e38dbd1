import { structuredPatch } from 'diff';
import { visibleLine } from './visible-text.ts';

/** With more changed lines than this, the difference counts as one replaced block. */
const MOST_EDITS = 2000;
const CONTEXT = 3;
const MAX_WIDTH = 300;
/** Of a long line this much shows before the place where it differs. */
const LEAD = 60;
const NO_END = '\\ No newline at end of file';

/**
 * The difference for people, empty only where there is none: what can't be seen is made visible,
 * what is too long is cut with a mark that says how much.
 */
export function renderDiff(before: Buffer | null, after: Buffer | null, maxLines = 200): string {
  if (before === null && after?.length === 0) return '(a new, empty file)';
  if (after === null && before?.length === 0) return '(an empty file is gone)';
  const lines = hunksBetween(charactersOf(before), charactersOf(after)).flatMap(
    ({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...shownLines(lines),
    ],
  );
  const left = lines.length - maxLines;
  const shown = left > 0 ? [...lines.slice(0, maxLines), `… ${left} more lines`] : lines;
  return shown.join('\n');
}

/** Bytes as characters: texts of any encoding are told apart byte by byte. */
const charactersOf = (content: Buffer | null): string => content?.toString('latin1') ?? '';

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

function hunksBetween(before: string, after: string): readonly Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks ?? [oneBlock(before, after)];
}

/** The lines between the common start and the common end. */
function oneBlock(before: string, after: string): Hunk {
  const [old, young] = [before, after].map((text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  const [all, now] = [old ?? [], young ?? []];
  const most = Math.min(all.length, now.length);
  let start = 0;
  while (start < most && all[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && all.at(-1 - end) === now.at(-1 - end)) end += 1;
  const signed = (sign: string, lines: readonly string[]) =>
    lines
      .slice(start, lines.length - end)
      .flatMap((line) =>
        line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_END],
      );
  return {
    ...{ oldStart: start + 1, oldLines: all.length - end - start },
    ...{ newStart: start + 1, newLines: now.length - end - start },
    lines: [...signed('-', all), ...signed('+', now)],
  };
}

/** The n-th line that went shows beside the n-th that came. */
function shownLines(lines: readonly string[]): string[] {
  const partners = new Map<number, string>();
  let gone: number[] = [];
  let came = 0;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('-')) {
      if (came > 0) gone = [];
      came = 0;
      gone.push(index);
    } else if (line.startsWith('+')) {
      const other = gone[came];
      if (other !== undefined) {
        partners.set(index, lines[other] ?? '');
        partners.set(other, line);
      }
      came += 1;
    } else if (line.startsWith(' ')) {
      gone = [];
      came = 0;
    }
  }
  return lines.map((line, index) =>
    line.startsWith('\\') ? NO_END : shownLine(line, partners.get(index) ?? ''),
  );
}

function shownLine(line: string, partner: string): string {
  const [text, other] = [visibleOf(line), visibleOf(partner)];
  const from = text.length <= MAX_WIDTH ? 0 : Math.max(0, commonStart(text, other) - LEAD);
  const left = text.length - from - MAX_WIDTH;
  const start = from > 0 ? `… (${from} characters before) ` : '';
  const end = left > 0 ? ` … (${left} characters more)` : '';
  return `${line[0]}${start}${text.slice(from, from + MAX_WIDTH)}${end}`;
}

/** Without its sign. */
const visibleOf = (line: string): string => visibleLine(Buffer.from(line.slice(1), 'latin1'));

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at === one.length ? 0 : at;
}
