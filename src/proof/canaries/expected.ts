import { type Chain, chainOf, isNot } from './chain.ts';
import { argumentsFrom, endOutside, type Span } from './spans.ts';

/** A call that compares what it is given, with what is expected second, or alone, or first. */
const CALL =
  /(?:\b|_)(?:\w*(?:equals?|same|cmp|compare)\w*|is(?:_deeply)?|to_?be|(?:assert_|to_?)?eql?|assert_called\w*_with)!?\s*\(/gi;
const OPERATOR =
  /(?:===?|!==?|-eq|-ne|(?<=\s)(?:eq|ne)(?=\s)|(?<=(?:\[|\btest) .*\s)=(?=\s))(?!=)/g;
/** One of several may hold; what only fails the check is no other one. */
const OR =
  /(?:\bor\b|\|\|)(?!\s*[({]?\s*(?:exit|die|diag|fail|return|throw|abort|false|echo|printf)\b)/;
/** What is about as expected, or is not, tells little by another value. */
const LOOSE = /not_?|almost|close|approx|near|throws|raises|reject/i;
const STRING = /(["'`])(?:\\.|(?!\1)[^\\])*\1/gs;
/** A shell fails where two are the same. */
const DIFFER = /\s!=\s[^|]*\]\s*\|\|/;
/** What a comparison says of what it was given. */
const VERDICT = /^\s*(?:0|1|true|false|none|null|nil|undefined)?\s*$/i;

/**
 * Where a statement says what it expects: what stands behind an operator, or the argument of a call
 * that compares. A message in it is none, nor what is asked for.
 */
export function expectedIn(statement: string): Span[] {
  const bare = bareStatement(statement);
  if (OR.test(bare) || DIFFER.test(bare) || mustDiffer(bare)) return [];
  // Of a chain its own words tell, not those of what it is given.
  if (LOOSE.test(bare.replaceAll(/!==?/g, ''))) return matchedIn(bare);
  const operators = [...bare.matchAll(OPERATOR)].flatMap(({ index, 0: sign }): Span[] => {
    const from = index + sign.length;
    const right: Span = [from, endOfOperand(bare, from)];
    return isVerdict(bare, right, [0, index]) ? [] : [right];
  });
  if (operators.length > 0) return operators;
  const calls = [...bare.matchAll(CALL)].map(({ index, 0: call }) => {
    const open = index + call.length;
    const [first, second] = argumentsFrom(bare, open);
    const isSecond = second !== undefined && !(first && isPlain(bare, first));
    const chosen = isSecond ? second : first;
    // Of `expect(same(x, y)).toBe(true)` all before the call is given.
    const given: Span = second === undefined ? [0, index] : [open, second[0]];
    const told = second ?? first;
    const isTold = told !== undefined && isVerdict(bare, told, given);
    return { index, given, chosen: isTold ? undefined : chosen };
  });
  // What another comparison is given, of which it expects a value, is no comparison.
  const isGiven = (at: number) =>
    calls.some(({ given, chosen }) => chosen !== undefined && at >= given[0] && at < given[1]);
  const compared = calls.flatMap(({ index, chosen }) =>
    chosen === undefined || isGiven(index) ? [] : [chosen],
  );
  return compared.length > 0 && !isOfOneValue(bare) ? compared : matchedIn(bare);
}

/** `assert a != b` holds for other values as well; a condition in front of a report has to be false. */
function mustDiffer(bare: string): boolean {
  const found = HOLDS.exec(bare);
  if (found === null) return false;
  const from = found.index + found[0].length;
  return /^(?:!=|ne\s)/.test(bare.slice(endOutside(bare, from, /!=|\bne\s|,/y)));
}
const HOLDS = /^\s*assert\s+(?!not\b)|\b(?:assert(?:\.ok|!|True)?|ok|isTrue)\s*\(\s*(?!!)/;

/** What it counts is expected, whatever is compared in front of it. */
const isOfOneValue = (bare: string): boolean =>
  /times|length(?:of)?$|size|count|inlinesnapshot/i.test(chainOf(bare)?.name ?? '');

/** Another value of it may hold as well, or it is compared with what a file has. */
export const MANY =
  /greater|less|above|below|least|most|within|close|approx|satisf|throw|contain|include|any|instance|oneof|(?<!inline)snapshot|^toMatch$|^match$/i;
/** All that it is given is expected; behind the first of another one stands what it says. */
const ALL = /^to[A-Z]|property|calledWith/i;

/** What a matcher says of what `expect` is given, such as `toHaveBeenCalledWith(3)`. */
function matchedIn(bare: string): Span[] {
  const chain = chainOf(bare);
  if (chain === null || isNot(chain)) return [];
  const { name, words, args } = chain;
  if (args === null || [...words, name].some((word) => MANY.test(word))) return [];
  return [...(isOnlyOne(chain) ? args.slice(-1) : ALL.test(name) ? args : args.slice(0, 1))];
}

/** A snapshot in the text stands last. */
const isOnlyOne = ({ name }: Chain): boolean => /inlinesnapshot/i.test(name);

/** It decides whether something is asked. */
export const BRANCH = /^\s*(?:if|elif|unless|while|until|for|case|switch)\b(?!.*!=)/;

/** Each string is one of the same length that says nothing. */
export const bareStatement = (statement: string): string =>
  statement.replaceAll(STRING, (all) => `"${'s'.repeat(all.length - 2)}"`);

/**
 * What the work says of what it was given is expected itself: another value of what it is given may
 * change nothing.
 */
const isVerdict = (text: string, [from, to]: Span, given: Span): boolean =>
  VERDICT.test(text.slice(from, to)) &&
  text.slice(...given).search(CALL) >= 0 &&
  /\w\s*\(.*\(/.test(text.slice(0, from));

/** A value and nothing else, as frameworks have it that are told first what is expected. */
const isPlain = (text: string, [from, to]: Span): boolean =>
  /^\s*(?:-?\d[\d.]*|"s*")\s*$/.test(text.slice(from, to));

/** Up to the sign that ends what is compared. */
export const endOfOperand = (text: string, from: number): number =>
  endOutside(text, from, /[,;{&|]/y);
