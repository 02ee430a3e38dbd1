import { extensionOf } from '../scope/code-files.ts';
import { bareStatement, expectedIn } from './expected.ts';
import type { Literal } from './literals.ts';
import { languageOf } from './opposites.ts';
import { argumentsFrom, endOutside, type Span } from './spans.ts';

/*
 * `if err := f(x); err != nil { t.Fatal(err) }` demands that its condition does not hold. The opposite
 * has to be noticed: what reports where it holds, reports where it does not.
 */

/** What fails a test, or counts that it did; what only says something of an error does not. */
const REPORT =
  /\b(?:throw|raise|panic|die|croak|abort|exit(?!\W*0\b)|return\s+-?[1-9])|\b(?:[a-z]+\.)?(?:fail|Fail|Fatal)\w*\s*[!(]|\b[tb]\.Error\w*\(|\bfail\w*\s*(?:=|\+)|\bFAIL/;

const CONDITION = /^\s*(?:\}?\s*else\s+)?(?:if|unless)\b(?!\s+let\b)\s*/;

/** Whether a line decides by what holds. */
export const asks = (line: string): boolean => CONDITION.test(line);

/** What it decides stands below. */
export const asksForBelow = (line: string): boolean =>
  asks(line) && /(?:\{|:|\bthen|\))\s*$/.test(line);

export const isReport = (statement: string): boolean => REPORT.test(bareStatement(statement));

/** What a statement reports, where it does: when this holds, or when it does not. */
function reported(bare: string, path: string | null) {
  const [before] = CONDITION.exec(bare) ?? [];
  if (before === undefined) return reportedBefore(bare, path);
  const span = conditionFrom(bare, before.length, languageOf(path));
  if (span === null || !REPORT.test(bare.slice(span[1]))) return null;
  return { span, isUnless: UNLESS.test(before) };
}

/** `die unless f(1) eq "a";` of Perl and Ruby. */
function reportedBefore(bare: string, path: string | null) {
  const [before] = BEHIND.exec(bare) ?? [];
  const isKnown = languageOf(path) === 'perl' || extensionOf(path ?? '') === 'rb';
  if (!isKnown || before === undefined || !REPORT.test(before)) return null;
  const span: Span = [before.length, endOutside(bare, before.length, /;/y)];
  return { span, isUnless: UNLESS.test(before) };
}

const BEHIND = /^[^;{}]*?\s(?:if|unless)\b\s*/;
const UNLESS = /\bunless\s*$/;

/**
 * What a condition in front of a report expects: the other side of what is reported for not being
 * so. One that `&&` joins with another tells nothing, since the other may be what is not so.
 */
export function expectedInCondition(statement: string, path: string | null): Span[] {
  const bare = bareStatement(statement);
  const found = reported(bare, path);
  if (found === null) return [];
  const { isUnless, span } = found;
  const joined = isUnless ? /&&|\band\b/y : /\|\||\bor\b/y;
  const parts: Span[] = [];
  for (let [from, to] = span; from < to; ) {
    const end = Math.min(to, endOutside(bare, from, joined));
    parts.push([from, end]);
    joined.lastIndex = end;
    from = end + (joined.exec(bare)?.[0].length ?? 1);
  }
  return parts.flatMap(([from, to]) => {
    const part = bare.slice(from, to);
    if (JOINED.test(part) || isNegated(part) === isUnless) return [];
    const at = from + (TURNED.exec(part)?.[0].length ?? 0);
    return expectedIn(bare.slice(at, to)).map(([begin, end]): Span => [at + begin, at + end]);
  });
}

const JOINED = /&&|\|\||\b(?:and|or)\b|\s-[ao]\s/;

/** Whether it holds where two are not the same. */
function isNegated(part: string): boolean {
  const isDifference = /!=|\s-?ne\s|\bis\s+not\b/.test(part) || ORDERS.test(part);
  return TURNED.test(part) !== isDifference;
}

const TURNED = /^\s*(?:!(?!=)|not\b)/;

/** A call that says 0 of two that are the same, and is compared with nothing. */
const ORDERS = /^(?!.*(?:==|<|>|\seq\s)).*(?:cmp|compare\w*)\s*\(/i;

/** The condition the other way round, where the statement reports when it holds; otherwise nothing. */
export function turnedCondition(statement: string, path: string | null): Literal[] {
  const found = reported(bareStatement(statement), path);
  if (found === null) return [];
  const [from, to] = found.span;
  const held = statement.slice(from, to);
  const [indent = ''] = /^\s*/.exec(held) ?? [];
  const at = from + indent.length;
  const end = at + held.trim().length;
  return [{ at, end, now: opposite(held.trim(), languageOf(path)), isCompared: true }];
}

/** What a function that the assertion calls says of what it is given, as in a test of a property. */
const SAID =
  /(?:(?<=\()|[\s,])(?:(?:=>|->|\breturn)\s+)([^;{}=<>!]+(?:[=!]==?|[<>]=?)[^;{}]+?)(?=\s*[;}]|\)\s*[,)])/g;

/** A function that says whether something holds says the opposite. */
export function turnedProperty(statement: string, path: string | null): Literal[] {
  // Elsewhere a type stands behind the arrow.
  const isArrow = languageOf(path) === 'jvm';
  return [...bareStatement(statement).matchAll(SAID)].flatMap((found) => {
    const [all, said = ''] = found;
    if (!isArrow && /^\W*->/.test(all)) return [];
    const at = found.index + all.length - said.length;
    const now = opposite(statement.slice(at, at + said.length), languageOf(path));
    return [{ at, end: at + said.length, now, isCompared: true }];
  });
}

function opposite(held: string, language: ReturnType<typeof languageOf>): string {
  if (language === 'shell') return held.startsWith('! ') ? held.slice(2) : `! ${held}`;
  return language === 'python' ? `not (${held})` : `!(${held})`;
}

function conditionFrom(
  bare: string,
  from: number,
  language: ReturnType<typeof languageOf>,
): Span | null {
  if (language === 'shell') return upTo(bare, from, /;\s*then\b/y);
  if (language === 'python') return upTo(bare, from, /:(?:\s|$)/y);
  if (language === 'rust' || language === 'other')
    return behindSemicolon(bare, upTo(bare, from, /\{/y));
  if (bare.charAt(from) !== '(') return null;
  const all = argumentsFrom(bare, from + 1);
  const last = all.at(-1);
  return last === undefined ? null : [from + 1, last[1]];
}

/** Up to the first of these signs that stands in no bracket. */
function upTo(bare: string, from: number, sign: RegExp): Span | null {
  const to = endOutside(bare, from, sign);
  sign.lastIndex = to;
  return sign.test(bare) ? [from, to] : null;
}

/** Go makes what it asks about in front of that. */
function behindSemicolon(bare: string, span: Span | null): Span | null {
  if (span === null) return null;
  const [from, to] = span;
  return argumentsFrom(`${bare.slice(0, to)})`, from, ';').at(-1) ?? null;
}
