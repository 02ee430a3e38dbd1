import { chainOf } from './chain.ts';
import {
  asks,
  asksForBelow,
  expectedInCondition,
  isReport,
  turnedCondition,
  turnedProperty,
} from './conditions.ts';
import { BRANCH, bareStatement, expectedIn } from './expected.ts';
import { endOfLine, endOfStatement, startsOfLines, statementsIn } from './lines.ts';
import { type Literal, literalsOf, moved, type Reading } from './literals.ts';
import { isUntyped, languageOf, oppositesIn } from './opposites.ts';
import { literally, type Span } from './spans.ts';
import { withoutLibrary } from './without-library.ts';

/**
 * A check that fails on the original fails somewhere: there it asks for the work. What it asks
 * before held already, and what it asks behind was never reached.
 */

/** Each costs a run. */
export const MOST_PINS = 10;

/** One of so many, from 0. */
export type Lot = (count: number) => number;

/**
 * Lines of a file, counted from 1, that the output of a failed run names. A build may name a copy.
 *
 * @param isKnown whether a path is that of a file of the project
 */
export function linesNamedIn(
  output: string,
  path: string,
  isKnown: (path: string) => boolean,
): number[] {
  const own = path.slice(path.lastIndexOf('/') + 1);
  const place = new RegExp(
    `([\\w./@+-]*?)${literally(own)}(?::|\\)?:|["'\`]?[,:]?\\s+(?:at\\s+)?line\\s+)(\\d+)`,
    'g',
  );
  const isSame = (folder: string) => {
    if (folder !== '' && !folder.endsWith('/')) return false;
    const found = `${folder}${own}`.replace(/^\.\//, '');
    const isIt = path === found || path.endsWith(`/${found}`) || found.endsWith(`/${path}`);
    return isIt || !(found.startsWith('/') || isKnown(found));
  };
  const lines = [...output.matchAll(place)].flatMap(({ 1: folder = '', 2: line }) =>
    isSame(folder) ? [Number(line)] : [],
  );
  return [...new Set(lines)];
}

export interface Asked {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where the original failed, from 1. */
  readonly failedAt: readonly number[];
  /** It is a test that a runner tells: behind its body something else begins. */
  readonly isTest?: boolean;
}

/**
 * Values that are expected on the line where the original failed, and one of a line behind it, by
 * lot. What is expected elsewhere held already.
 */
export function pinsOf(asked: Asked, reading: Reading, lot: Lot): Literal[] {
  const { text } = asked;
  const lines = startsOfLines(text);
  const isAsked = (begin: number) => begin >= asked.from && begin < asked.to;
  const failed = failedStatements(asked);
  const isOnly = failed.filter((span) => !isHeader(text, span)).length === 1;
  const own = failed
    .map((span) => demandOf(text, span, reading, isOnly))
    .filter(({ here, bare }) => here.length + bare.length > 0)
    .sort((one, other) => startOf(one) - startOf(other));
  const [{ here, bare } = { here: [], bare: [] }] = own;
  const last = Math.max(...here.map(({ end }) => end));
  const ends = asked.isTest ? endOfBody(text, lines, last) : asked.to;
  const behind = lines
    .filter((begin) => here.length > 0 && isAsked(begin) && begin > last && begin < ends)
    .flatMap((begin) => unbranched(text, begin, reading, lot));
  return [...bare, ...drawn(here, MOST_PINS - 1, lot), ...drawn(behind, 1, lot)];
}

/** Where something begins that is not within what this place is within. */
function endOfBody(text: string, lines: readonly number[], at: number): number {
  const own = lines.findLast((begin) => begin <= at) ?? 0;
  if (!/^[ \t]/.test(text.slice(own, own + 1))) return text.length;
  return lines.find((begin) => begin > at && /^[\w$@]/.test(text.slice(begin))) ?? text.length;
}

/**
 * What a statement demands, with and without its library.
 *
 * @param isOnly of all that is asked here it is the one that failed: all that failed, failed there
 */
function demandOf(text: string, span: Span, reading: Reading, isOnly: boolean) {
  const here = demandsIn(text, span, reading);
  const bare = withoutIn(text, span, reading);
  const isChosen = CHOOSES.test(bareStatement(text.slice(...span)));
  const forAll = (some: Literal[], isSaid: boolean) =>
    some.map((one) => (isOnly && isSaid && some.length === 1 ? { ...one, isForAll: true } : one));
  return { here: forAll(here, !isChosen), bare: forAll(bare, true) };
}

/** One of several values is said, by what is asked. */
const CHOOSES = /\?(?!\.)|&&|\|\||\b(?:and|or|else)\b/;

const startOf = ({ here, bare }: { readonly here: Literal[]; readonly bare: Literal[] }): number =>
  Math.min(...[...here, ...bare].map(({ at }) => at));

/**
 * What is said of a value where the original failed, or of all where nothing says where, if the host
 * knows no opposite of any of it. What is compared with a file is asked by that.
 */
export function muteIn(asked: Asked, reading: Reading): string[] {
  const failed = failedStatements(asked);
  const spans = failed.length > 0 ? failed : statementsIn(asked.text, asked.from, asked.to);
  const said = spans.flatMap((span) => {
    const chain = chainOf(bareStatement(asked.text.slice(...span)));
    return chain === null || SNAPSHOT.test(chain.name) ? [] : [span];
  });
  const isInner = ([begin, end]: Span) => !said.some(([at]) => at > begin && at < end);
  const isKnown = (span: Span) =>
    demandsIn(asked.text, span, reading).length + withoutIn(asked.text, span, reading).length > 0;
  return spans.some(isKnown)
    ? []
    : said.filter(isInner).map((span) => asked.text.slice(...span).trim());
}

const SNAPSHOT = /snapshot/i;

/** The statements at which it failed, without those around them that a stack names as well. */
export function failedStatements({ text, from, to, failedAt }: Asked): Span[] {
  const lines = startsOfLines(text);
  const begins = failedAt.flatMap((line) => lines[line - 1] ?? []);
  const statements = begins.map((begin) => statementAt(text, begin));
  return statements.filter(
    ([begin, end], index) =>
      begins.slice(index, index + 1).every((line) => line >= from && line < to) &&
      !statements.some(([at]) => at > begin && at < end),
  );
}

/** It begins what others stand in, such as a suite, and asks nothing itself. */
const isHeader = (text: string, [begin, end]: Span): boolean =>
  /[{(:]\s*$/.test(text.slice(begin, end));

/**
 * One value of each line that compares, and the line without its library, where nothing says on which
 * of them the original failed.
 */
export const comparedOf = ({ text, from, to }: Asked, reading: Reading, lot: Lot): Literal[] =>
  statementsIn(text, from, to).flatMap(([begin]) => [
    ...unbranched(text, begin, reading, lot),
    ...unbranchedWithout(text, begin, reading),
  ]);

/** Some of these, each once, by lot. */
export function drawn<T>(all: readonly T[], most: number, lot: Lot): T[] {
  const left = [...all];
  const chosen: T[] = [];
  while (left.length > 0 && chosen.length < most) {
    chosen.push(...left.splice(lot(left.length), 1));
  }
  return chosen;
}

/** What a statement expects, or the opposite of what it demands. */
function demandsIn(text: string, [begin, end]: Span, reading: Reading): Literal[] {
  const path = reading.path ?? null;
  const statement = asOneLine(text, [begin, end]);
  const inText = (some: readonly Literal[]) => some.map((one) => moved(one, begin));
  const turned = inText(turnedCondition(statement, path));
  const values =
    turned.length > 0
      ? literalsWithin(text, [begin, end], expectedInCondition(statement, path), reading)
      : comparedIn(text, [begin, end], reading);
  if (values.length > 0) return values;
  // Where it reports what is so, another value is not so either.
  if (turned.length > 0 && BRANCH.test(statement)) return turned;
  const opposites = inText(oppositesIn(statement, path));
  return [
    ...(opposites.length > 0 ? opposites : turned),
    ...(isUntyped(path) ? [] : inText(turnedProperty(statement, path))),
  ];
}

function withoutIn(text: string, span: Span, reading: Reading): Literal[] {
  const statement = asOneLine(text, span);
  return withoutLibrary(statement, reading.path ?? null).map((one) => moved(one, span[0]));
}

export function comparedIn(text: string, span: Span, reading: Reading): Literal[] {
  return literalsWithin(text, span, expectedIn(asOneLine(text, span)), reading);
}

/** A statement of several lines is read as one, in which every value keeps its place. */
const asOneLine = (text: string, [begin, end]: Span): string =>
  text.slice(begin, end).replaceAll('\n', ' ');

/** The values of a statement that stand in these parts of it. */
function literalsWithin(
  text: string,
  statement: Span,
  spans: readonly Span[],
  reading: Reading,
): Literal[] {
  const isExpected = ({ at }: Literal) => spans.some(([from, to]) => at >= from && at < to);
  return literalsOf(asOneLine(text, statement), reading)
    .filter(isExpected)
    .map((one) => moved(one, statement[0]));
}

function unbranched(text: string, begin: number, reading: Reading, lot: Lot): Literal[] {
  const end = endOfLine(text, begin);
  const line = text.slice(begin, end);
  // A stack names the line that threw: elsewhere a condition may be one of a mock, and never come to.
  if (asks(line) && ['js', 'python'].includes(languageOf(reading.path ?? null))) {
    return BRANCH.test(line) ? [] : drawn(comparedIn(text, [begin, end], reading), 1, lot);
  }
  const report = asksForBelow(line) ? endOfReport(text, end) : null;
  if (BRANCH.test(line) && report === null && !isReport(line)) return [];
  return drawn(demandsIn(text, [begin, report ?? end], reading), 1, lot);
}

/** Of the report that a condition leads to: one of the lines behind it, up to the end of its block. */
function endOfReport(text: string, from: number): number | null {
  for (let [line, end] = [1, from]; line <= LONGEST_REPORT && end < text.length; line++) {
    const begin = end + 1;
    end = endOfLine(text, begin);
    if (ENDS_BLOCK.test(text.slice(begin, end))) return null;
    if (isReport(text.slice(begin, end))) return end;
  }
  return null;
}

const LONGEST_REPORT = 3;
const ENDS_BLOCK = /^\s*(?:fi|done|elif|else|end|\})/;

/** A statement of several lines, such as that of the test itself, has lines of its own. */
function unbranchedWithout(text: string, begin: number, reading: Reading): Literal[] {
  const end = endOfLine(text, begin);
  if (BRANCH.test(text.slice(begin, end))) return [];
  return withoutIn(text, [begin, endOfStatement(text, begin)], reading).filter(
    ({ at }) => at < end,
  );
}

/** What a line says, with the condition under which it is reached: `if a != b {` above a report. */
function statementAt(text: string, begin: number): Span {
  const end = endOfStatement(text, begin);
  const above = text.lastIndexOf('\n', begin - 2) + 1;
  const isAsked = begin > 0 && isAskedBy(text.slice(above, begin), text.slice(begin, end));
  return [isAsked && expectedIn(text.slice(begin, end)).length === 0 ? above : begin, end];
}

const isAskedBy = (above: string, own: string): boolean =>
  OTHERWISE.test(above) || (asksForBelow(above) && isReport(own));

/** It reports where something is not as expected. */
const OTHERWISE = /^\s*(?:unless\b|if\b.*(?:!|\s-?ne\b)).*(?:\{|:|\bthen)\s*$/;
