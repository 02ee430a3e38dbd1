import { BRANCH, type Span } from './expected.ts';
import {
  type Literal,
  lastSign,
  literalsOf,
  moved,
  type Reading,
  withLiterals,
} from './literals.ts';
import { type Asked, comparedIn, endOfStatement, failedStatements, startsOfLines } from './pins.ts';

/*
 * A script tells by its exit code alone, so work that ends the process with 0 at its last demand is
 * never found wrong by a value. A demand that can't hold, placed behind the last one, has to fail.
 */

const DEMANDS =
  /assert|expect|should|equal|same|reject|fails?\b|throw|raises|check|verify|none|\b(?:ok|is|isnt|like)\b/i;
const ENDS = /\b(?:exit|return|end|finish\w*|done\w*|summary|report\w*|plan|main|run|quit)\b/i;
/** The statement goes on behind its line. */
const GOES_ON = /(?:[\\,.+*/|&=?:<(-]|\b(?:and|or))\s*$/;
const IS_CONTINUED = /^\s*(?:[.?:|&+*/-]|\|\||&&)/;

/**
 * Behind the last demand of the block in which the original failed, or of the script: a line of it
 * that compares, with another value.
 *
 * @returns what is inserted, or nothing where no line can be taken for it
 */
export function demandBehind(asked: Asked, reading: Reading): Literal[] {
  const { text, from, to } = asked;
  const [failed] = failedStatements(asked);
  const indent = failed === undefined ? '' : indentAt(text, failed[0]);
  const lines = startsOfLines(text)
    .filter((begin) => begin >= from && begin < to)
    .map((begin): Span => [begin, endOfStatement(text, begin)])
    .filter(([begin, end]) => indentAt(text, begin) === indent && end > begin + indent.length);
  const models = lines.flatMap((span) => {
    const [value] = isWhole(text, span) ? valuesIn(text, span, reading) : [];
    return value === undefined ? [] : [{ span, value }];
  });
  const model = models.filter(({ span }) => span[0] <= (failed?.[0] ?? to)).at(-1) ?? models[0];
  if (model === undefined) return [];
  const firstWord = wordAt(text, model.span);
  const isDemand = (span: Span) =>
    wordAt(text, span) === firstWord ||
    span[0] === failed?.[0] ||
    (DEMANDS.test(text.slice(...span)) && !ENDS.test(wordAt(text, span)));
  const last = inBlock(text, lines, failed, indent)
    .filter((span) => isDemand(span) && !BRANCH.test(text.slice(...span)))
    .at(-1);
  if (last === undefined || !isWhole(text, last)) return [];
  const other = withLiterals(text, [model.value]).slice(model.span[0]);
  const copy = other.slice(0, model.span[1] - model.span[0] + grown(model.value));
  const [, at] = last;
  return [{ at, end: at, now: `\n${copy}`, isCompared: true }];
}

/** Values that it expects, or that a helper of the judge's is given to compare. */
function valuesIn(text: string, span: Span, reading: Reading): Literal[] {
  const line = text.slice(...span);
  const compared = comparedIn(text, span, reading);
  if (compared.length > 0 || BRANCH.test(line)) return compared;
  if (!DEMANDS.test(line) || LOOSELY.test(line)) return [];
  return literalsOf(line, reading).map((one) => moved(one, span[0]));
}

/** Another value of it may hold as well. */
const LOOSELY = /not|fail|throw|reject|raise|none|null|almost|close|approx/i;

const grown = ({ at, end, now }: Literal): number => now.length - (end - at);

const indentAt = (text: string, begin: number): string =>
  /^[ \t]*/.exec(text.slice(begin, begin + 200))?.[0] ?? '';

const wordAt = (text: string, [begin, end]: Span): string =>
  /^\s*([^\s(;]+)/.exec(text.slice(begin, end))?.[1] ?? '';

/** It stands on one line, or in brackets, and the next one does not go on with it. */
function isWhole(text: string, [begin, end]: Span): boolean {
  const own = text.slice(begin, end);
  const next = text.slice(end + 1, end + 200);
  const depth = [...own].reduce((sum, sign) => sum + depthOf(sign), 0);
  const isOpen = GOES_ON.test(own) || IS_CONTINUED.test(next) || own.includes('<<');
  return depth === 0 && !isOpen && !/^\s*[#/]/.test(own);
}

const depthOf = (sign: string): number =>
  '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0;

/** From where the original failed to the end of its block; all lines where nothing says where. */
function inBlock(
  text: string,
  lines: readonly Span[],
  failed: Span | undefined,
  indent: string,
): readonly Span[] {
  if (failed === undefined) return lines;
  const isOutside = (begin: number) => {
    const line = text.slice(begin, begin + indent.length + 1);
    return line.trim() !== '' && !line.startsWith(indent);
  };
  const end = startsOfLines(text).find((begin) => begin > failed[0] && isOutside(begin));
  return lines.filter(([begin]) => begin >= failed[0] && begin < (end ?? text.length));
}

/** A loop of a shell takes the rows of a table from its input, which the work can read as well. */
export const readsRows = (text: string, path: string): boolean =>
  /\bread\b/.test(text) &&
  [...text.matchAll(/<\s*["']?([^\s"'<>;|&()]+)/g)].some(([, file = '']) =>
    path.endsWith(file.replace(/^.*\}?\//, '')),
  );

/** Behind the last row of a table, its first one with another value in the last field. */
export function rowBehind(text: string): Literal[] {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const counts = new Set(rows.map((row) => row.trim().split(/[\t,;|]|\s+/).length));
  const [row = ''] = rows;
  const [sign] = lastSign(row);
  if (rows.length < 2 || counts.size !== 1 || counts.has(1) || sign === undefined) return [];
  const at = text.length;
  const now = `${text.endsWith('\n') ? '' : '\n'}${withLiterals(row, [sign])}\n`;
  return [{ at, end: at, now, isCompared: true }];
}
