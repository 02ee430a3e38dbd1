import type { Span } from './spans.ts';

/** Lines of a text, and what stands on several of them. */

export const startsOfLines = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
];

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

export function indentAt(text: string, begin: number): string {
  INDENT.lastIndex = begin;
  return INDENT.exec(text)?.[0] ?? '';
}

const INDENT = /[ \t]*/y;

/** The lines that begin the blocks in which this one stands, the innermost first. */
export function headersAround(text: string, begin: number): string[] {
  const found: string[] = [];
  let least = indentAt(text, begin).length;
  for (let end = begin - 1; end > 0 && least > 0; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(from, end);
    const indent = indentAt(line, 0).length;
    end = from - 1;
    if (line.trim() === '' || indent >= least) continue;
    least = indent;
    found.push(line);
  }
  return found;
}

const LONGEST_STATEMENT = 10;

/** Where the brackets of the line are closed, if that is not far. */
export function endOfStatement(text: string, begin: number): number {
  const own = endOfLine(text, begin);
  let end = own;
  for (let line = 1; line <= LONGEST_STATEMENT; line++) {
    if (openIn(text.slice(begin, end)) <= 0) return end;
    if (end >= text.length) break;
    end = endOfLine(text, end + 1);
  }
  return own;
}

/** How many more brackets are opened than closed. */
export const openIn = (text: string): number => countOf(text, /[([{]/g) - countOf(text, /[)\]}]/g);

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

/** What each line of this part says, up to the end of its brackets. */
export const statementsIn = (text: string, from: number, to: number): Span[] =>
  startsOfLines(text)
    .filter((begin) => begin >= from && begin < to)
    .map((begin) => [begin, endOfStatement(text, begin)]);
