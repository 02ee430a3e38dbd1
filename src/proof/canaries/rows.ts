import { judgesByName } from '../scope/judge-like.ts';
import { expectedIn } from './expected.ts';
import type { Judge, JudgeText } from './judge.ts';
import { type Literal, literalsOf, moved } from './literals.ts';
import { type Asked, failedStatements } from './pins.ts';
import { literally } from './spans.ts';

/*
 * `assert.equal(loud(row.given), row.wanted)` says no value, and its opposite says nothing of the
 * rows: all that they want has to be noticed as well.
 */

/** What each row of a table calls the value that the original did not give, if it is that alone. */
export function wantedOf(asked: Asked): string[] {
  return failedStatements(asked).flatMap(([begin, end]) => {
    const statement = asked.text.slice(begin, end).replaceAll('\n', ' ');
    const before = asked.text.slice(0, end);
    const around = asked.text.slice(asked.from, asked.to);
    return expectedIn(statement).flatMap(([from, to]) => {
      const wanted = statement.slice(from, to).trim();
      const given = statement.slice(0, from) + statement.slice(to);
      return keyIn(wanted, given, before, around) ?? [];
    });
  });
}

const NAME = '[A-Za-z_$][\\w$]*';
const MEMBER = new RegExp(`^(${NAME})\\s*(?:\\.\\s*(${NAME})|\\[\\s*(["'])([\\w$-]+)\\3\\s*\\])$`);

function keyIn(wanted: string, given: string, before: string, around: string): string | null {
  const [, row, member, , word] = MEMBER.exec(wanted) ?? [];
  const key = member ?? word;
  if (row !== undefined && key !== undefined) {
    // Who is given the row whole, or what it wants, may rightly follow it.
    const isWhole = new RegExp(`(?<![\\w$.])${literally(row)}\\b(?!\\s*(?:\\.|\\?\\.|\\[))`);
    const isGiven = new RegExp(`(?:\\.|["'])${literally(key)}(?![\\w$])`).test(given);
    const body = around.split('\n').filter((line) => !isHeader(line, row));
    return isGiven || isWhole.test(body.join('\n')) || !walks(before, row) ? null : key;
  }
  if (!new RegExp(`^${NAME}$`).test(wanted)) return null;
  if (new RegExp(`(?<![\\w$.])${literally(wanted)}(?![\\w$])`).test(given)) return null;
  const taken = new RegExp(`[{,]\\s*(?:(${NAME})\\s*:\\s*)?${literally(wanted)}\\s*[,}]`);
  const header = before.split('\n').findLast((line) => isLoop(line) && taken.test(line));
  return header === undefined ? null : (taken.exec(header)?.[1] ?? wanted);
}

const isLoop = (line: string): boolean =>
  /\bfor\b.*\b(?:of|in|range)\b|\b(?:forEach|map|each)\b|=>\s*\{?\s*$/.test(line);

const isHeader = (line: string, row: string): boolean =>
  isLoop(line) && new RegExp(`(?<![\\w$.])${literally(row)}(?![\\w$])`).test(line);

const walks = (before: string, row: string): boolean =>
  before.split('\n').some((line) => isHeader(line, row));

/** Where a text of the judge says values under this name, all of them with others in their place. */
export function valuesUnder(key: string, { path, text }: JudgeText): Literal[] {
  const said = new RegExp(`(?<![\\w$.-])(["'\`]?)${literally(key)}\\1\\s*(?::|=>|=(?!=))\\s*`, 'g');
  return [...text.matchAll(said)].flatMap(({ index, 0: all }) => {
    const from = index + all.length;
    const [value = ''] = VALUE.exec(text.slice(from)) ?? [];
    return literalsOf(value, { isName: () => false, path }).map((one) => moved(one, from));
  });
}

/** A string, a list, or what stands up to the next sign. */
const VALUE = /^(?:(["'`])(?:\\.|(?!\1)[^\\])*\1|\[[^\]]*\]|[^,;}\n]*)/s;

/** Texts that may hold the rows of a judge: product is not among them. */
export const mayHoldRows = ({ texts, data }: Judge): JudgeText[] => [
  ...texts.filter(({ path }) => path !== null),
  ...data.filter(({ path }) => path !== null && judgesByName(path)),
];
