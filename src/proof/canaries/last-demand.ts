import { extensionOf } from '../scope/code-files.ts';
import { chainOf } from './chain.ts';
import { BRANCH, bareStatement, MANY } from './expected.ts';
import { indentAt, openIn, startsOfLines, statementsIn } from './lines.ts';
import {
  type Literal,
  lastSign,
  literalsOf,
  moved,
  type Reading,
  withLiterals,
} from './literals.ts';
import { type Asked, comparedIn, failedStatements } from './pins.ts';
import type { Span } from './spans.ts';

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

/** What fails whatever is asked, by the language alone. */
const FAILS: readonly (readonly [extensions: RegExp, statement: string])[] = [
  [/^(?:ba|da|z|k)?sh$/, 'exit 1'],
  [/^py$/, 'raise AssertionError'],
  [/^[cm]?[jt]s$/, 'throw new Error();'],
  [/^(?:t|p[lm])$/, 'die;'],
  [/^rb$/, 'raise'],
  [/^(?:c|cc|cpp|cxx)$/, '__builtin_abort();'],
  [/^go$/, 'panic("")'],
  [/^rs$/, 'panic!();'],
  [/^lua$/, 'error()'],
];

/**
 * Behind the last demand of the block in which the original failed, or of the script: a line of it
 * that compares, with another value; where none does, what fails by the language alone.
 *
 * @returns what is inserted, or nothing where no line can be taken for a demand
 */
export function demandBehind(asked: Asked, reading: Reading): Literal[] {
  const { text, from, to } = asked;
  const [failed] = failedStatements(asked);
  const indent = failed === undefined ? '' : indentAt(text, failed[0]);
  const lines = statementsIn(text, from, to).filter(
    ([begin, end]) => indentAt(text, begin) === indent && end > begin + indent.length,
  );
  const models = lines.flatMap((span) => {
    const isModel = isWhole(text, span) && !DEFINES.test(text.slice(...span));
    const [value] = isModel ? valuesIn(text, span, reading) : [];
    return value === undefined ? [] : [{ span, value }];
  });
  const model = models.filter(({ span }) => span[0] <= (failed?.[0] ?? to)).at(-1) ?? models[0];
  const firstWord = model === undefined ? null : wordAt(text, model.span);
  const isDemand = (span: Span) =>
    wordAt(text, span) === firstWord ||
    span[0] === failed?.[0] ||
    (!ENDS.test(wordAt(text, span)) &&
      (DEMANDS.test(text.slice(...span)) || isOwnCall(text, span)));
  const last = inBlock(text, lines, failed, indent)
    .filter((span) => isDemand(span) && !BRANCH.test(text.slice(...span)))
    .at(-1);
  if (last === undefined || !isWhole(text, last)) return [];
  const [, at] = last;
  const isPlain = !HERE_DOCUMENT.test(text);
  const fails = isPlain ? failing(indent, reading) : null;
  const now = model === undefined ? fails : otherLine(text, model);
  return now === null ? [] : [{ at, end: at, now: `\n${now}`, isCompared: true }];
}

/** A second one changes the first. */
const DEFINES =
  /^\s*(?:(?:export|async|pub|static)\s+)*(?:sub|def|function|func|fn|class|const|let|var|my|our|local)\b|^\s*\w+\s*\(\)\s*\{/;

/** Lines in it are no statements. */
const HERE_DOCUMENT = /<<[-~]?["'A-Za-z_]/;

interface Model {
  readonly span: Span;
  readonly value: Literal;
}

function otherLine(text: string, { span: [begin, end], value }: Model): string {
  const other = withLiterals(text, [value]).slice(begin);
  return other.slice(0, end - begin + grown(value));
}

function failing(indent: string, { path }: Reading): string | null {
  const extension = extensionOf(path ?? '');
  const statement = FAILS.find(([extensions]) => extensions.test(extension))?.[1];
  return statement === undefined ? null : indent + statement;
}

/** It calls a function of this text, such as one that holds demands. */
function isOwnCall(text: string, span: Span): boolean {
  const word = /^[A-Za-z_]\w*/.exec(wordAt(text, span))?.[0];
  return (
    word !== undefined &&
    new RegExp(
      `\\b(?:function|def|sub|func|fn)\\s+${word}\\b|^\\s*${word}\\s*\\(\\s*\\)\\s*\\{`,
      'm',
    ).test(text)
  );
}

/** Values that it expects, or that a helper of the judge's is given to compare. */
function valuesIn(text: string, span: Span, reading: Reading): Literal[] {
  const line = text.slice(...span);
  const compared = comparedIn(text, span, reading);
  if (compared.length > 0 || BRANCH.test(line)) return compared;
  if (!DEMANDS.test(line) || LOOSELY.test(line)) return [];
  const bare = bareStatement(line);
  const isSaidOfOne = chainOf(bare) !== null || MANY.test(bare);
  const given = literalsOf(line, reading);
  const own = isSaidOfOne ? [] : given.filter(({ at }) => !isInInnerCall(bare, at));
  // What the work is given may be another one, and all holds as well; better than nothing it is.
  const canFail = failing('', reading) !== null;
  return (own.length > 0 || canFail ? own : given).map((one) => moved(one, span[0]));
}

/** It is given to a call whose answer is looked at. */
function isInInnerCall(bare: string, at: number): boolean {
  let depth = 0;
  for (const [index, sign] of [...bare.slice(0, at)].entries()) {
    if (sign === '(' && (depth > 0 || /\w\s*$/.test(bare.slice(0, index)))) depth++;
    else if (sign === ')' && depth > 0) depth--;
  }
  return depth > 1;
}

/** Another value of it may hold as well. */
const LOOSELY = /not|fail|throw|reject|raise|none|null|almost|close|approx|near/i;

const grown = ({ at, end, now }: Literal): number => now.length - (end - at);

const wordAt = (text: string, [begin, end]: Span): string =>
  /^\s*([^\s(;]+)/.exec(text.slice(begin, end))?.[1] ?? '';

/**
 * It stands on one line, or in brackets, and the next one does not go on with it; what stands behind
 * it is reached.
 */
function isWhole(text: string, [begin, end]: Span): boolean {
  const own = text.slice(begin, end);
  const next = text.slice(end + 1, end + 200);
  const isOpen = GOES_ON.test(own) || IS_CONTINUED.test(next) || own.includes('<<');
  const isLast = /\n\s*(?:exit|return|quit)\b/.test(own);
  return openIn(own) === 0 && !isOpen && !isLast && !/^\s*[#/]/.test(own);
}

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

/** The judge takes the rows of a table from its input, which the work can read as well. */
export const readsRows = (texts: readonly string[], path: string): boolean =>
  texts.some((text) => TAKES_ROWS.test(text)) &&
  texts.some((text) => inputsIn(text).some((file) => path.endsWith(file.replace(/^.*\}?\//, ''))));

const TAKES_ROWS = /\b(?:read|stdin|STDIN|gets|readlines?)\b/;

/** Files in `< cases.txt` and in `grep -v x cases.txt | …`. */
const inputsIn = (text: string): string[] =>
  [
    ...text.matchAll(/<\s*["']?([^\s"'<>;|&()]+)|([^\s"'<>;|&()]+\.\w+)["']?[ \t]*\|(?!\|)/g),
  ].flatMap(([, given, piped]) => given ?? piped ?? []);

/** Behind the last row of a table, one of its rows with another value in the last field. */
export const rowBehind = (text: string): Literal[] => rowAt(text, text.length);

/** The same in what a loop of a shell is given by its own text. */
export const rowsBehind = (text: string): Literal[] =>
  [...text.matchAll(/\bdone[ \t]*<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n([\s\S]*?)^[ \t]*\2$/gm)].flatMap(
    ({ 0: all, 3: rows = '', index }) => {
      const begin = index + all.indexOf('\n') + 1;
      return rowAt(rows, rows.length).map((one) => moved(one, begin));
    },
  );

function rowAt(text: string, at: number): Literal[] {
  const rows = text.split('\n').filter((row) => !/^\s*(?:$|#|;|--|\/\/)/.test(row));
  const widths = rows.map(widthOf);
  const times = (width: number) => widths.filter((one) => one === width).length;
  const [width] = widths.toSorted((one, other) => times(other) - times(one));
  const row = rows.filter((one) => widthOf(one) === width).at(-1) ?? '';
  const [sign] = lastSign(row);
  const isTable = width !== undefined && width > 1 && times(width) > Math.max(1, rows.length / 2);
  if (!isTable || sign === undefined) return [];
  const now = `${text.endsWith('\n') ? '' : '\n'}${withLiterals(row, [sign])}\n`;
  return [{ at, end: at, now, isCompared: true }];
}

const widthOf = (row: string): number => row.trim().split(/[\t,;|]|\s+/).length;
