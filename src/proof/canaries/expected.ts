/** Part of a text, from here to there. */
export type Span = readonly [from: number, to: number];

/** A call that compares what it is given, with what is expected second, or alone, or first. */
const CALL =
  /(?:\b|_)(?:\w*(?:equals?|same|cmp|compare)\w*|is(?:_deeply)?|to_?be|(?:assert_|to_?)?eql?|assert_called\w*_with)!?\s*\(/gi;
const OPERATOR = /(?:===?|!==?|-eq|-ne|(?<=(?:\[|\btest) .*\s)=(?=\s))(?!=)/g;
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
  if (OR.test(bare) || DIFFER.test(bare) || LOOSE.test(bare.replaceAll(/!==?/g, ''))) return [];
  const operators = [...bare.matchAll(OPERATOR)].flatMap(({ index, 0: sign }): Span[] => {
    const from = index + sign.length;
    const right: Span = [from, endOfOperand(bare, from)];
    return isVerdict(bare, right, [0, index]) ? [] : [right];
  });
  if (operators.length > 0) return operators;
  const matched = matchedIn(bare);
  if (matched.length > 0) return matched;
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
  return calls.flatMap(({ index, chosen }) =>
    chosen === undefined || isGiven(index) ? [] : [chosen],
  );
}

/** A matcher that holds for one value alone: any other number, or text, is wrong. */
const MATCHER =
  /^\)(?:\s*\.\s*\w+)*?\s*\.\s*\w*(?:times|length(?:of)?|size|count|inlinesnapshot)\s*\(/i;

/** What a matcher says of what `expect` is given, such as `toHaveBeenCalledTimes(3)`. */
function matchedIn(bare: string): Span[] {
  const found = /(?<![\w$.])(?:expect|assertThat)\s*\(/.exec(bare);
  if (found === null) return [];
  const given = argumentsFrom(bare, found.index + found[0].length).at(-1);
  if (given === undefined) return [];
  const matcher = MATCHER.exec(bare.slice(given[1]));
  if (matcher === null) return [];
  const last = argumentsFrom(bare, given[1] + matcher[0].length).at(-1);
  return last === undefined ? [] : [last];
}

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
export function endOfOperand(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if ('([{'.includes(sign) && !(sign === '{' && depth === 0)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (depth < 0 || (depth === 0 && /[,;{&|]/.test(sign))) return at;
  }
  return text.length;
}

export function argumentsFrom(text: string, open: number): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let from = open;
  for (let at = open; at < text.length; at++) {
    const sign = text.charAt(at);
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth >= 0 && !(depth === 0 && sign === ',')) continue;
    found.push([from, at]);
    from = at + 1;
    if (depth < 0) return found;
  }
  return found;
}
