import { type Chain, chainOf } from '../chain.ts';
import { bareStatement, expectedIn } from '../expected.ts';
import { endOfLine, endOfStatement, headersAround, indentAt, startsOfLines } from '../lines.ts';
import { argumentsFrom, endOutside, type Span } from '../spans.ts';
import { apartFrom } from './apart.ts';
import { trimmed } from './edits.ts';
import type { WorkNames } from './from-work.ts';
import { headOf } from './head.ts';
import { beginOutside, isLiteral, type Recordable, says, withoutStrings } from './names.ts';
import { walkerAt } from './walkers.ts';

/** What a demand compares: what is given, and what is expected of it; null where it is not asked. */
export interface Compared {
  readonly sides: readonly [Span | null, Span | null];
  /** The work may have filled it, if it is no plain value. */
  readonly mayBeFilled: readonly [boolean, boolean];
  /** The work is given neither what is expected nor the row in which that stands. */
  readonly isApart: boolean;
  /** A condition decides whether it is come to. */
  readonly isOptional: boolean;
}

type Pair = readonly [given: Span | null, expected: Span | null];

interface Found {
  readonly pair: Pair;
  /** It stands in a line that demands, and not in one that decides or counts by what the work says. */
  readonly isDemand: boolean;
  /** Who walks with it may end before the last one, also where all is as it should be. */
  readonly isPassedBy: boolean;
}

/** All in these parts of a text that compares with something that its text does not say itself. */
export function comparedIn(
  text: string,
  language: Recordable,
  parts: readonly Span[],
  work: WorkNames,
): Compared[] {
  const found: Compared[] = [];
  const taken: Span[] = [];
  const isFromNowhere = apartFrom(text, work);
  const isFree = ([from, to]: Span) => !taken.some(([at, end]) => from < end && at < to);
  for (const begin of startsOfLines(text)) {
    if (!parts.some(([from, to]) => begin >= from && begin < to)) continue;
    const statement = statementAt(text, begin);
    if (statement === null) continue;
    const around = headersAround(text, begin);
    const isDecided = (line: string) =>
      DECIDES.test(line) && (says(line, work.names) || says(line, work.filled));
    if (around.some(isDecided)) continue;
    const head = headOf(text, begin);
    const mayBe = around.some((line) => CONDITION.test(line));
    const isStopped = LOOP.test(around.join('\n')) && STOP.test(bodyOf(text, begin, head));
    const bare = bareStatement(statement);
    for (const { pair, isDemand, isPassedBy } of pairsIn(statement, language, work)) {
      const isOfHead = pair[1] !== null && pair[1][1] <= head.length;
      if (isOfHead ? isStopped && !isDemand : isDecided(head)) continue;
      const isOpen = isOfHead
        ? OPEN.test(bare.slice(0, head.length).replace(CONDITION, ''))
        : CONDITION.test(head) || OPEN.test(bare);
      const isOptional = mayBe || isPassedBy || isOpen;
      const here = asked(statement, pair, work);
      const sides = here.sides.map((side): Span | null => {
        if (side === null) return null;
        const moved: Span = [side[0] + begin, side[1] + begin];
        return isFree(moved) ? moved : null;
      }) as unknown as Compared['sides'];
      const kept = sides.filter((side) => side !== null);
      if (kept.length === 0) continue;
      taken.push(...kept);
      const [expected] = [...kept].reverse();
      const isApart = expected !== undefined && isFromNowhere(expected);
      found.push({ sides, mayBeFilled: here.mayBeFilled, isApart, isOptional });
    }
  }
  return found;
}

/** Who walks or decides by what the work says comes to other lines than the original. */
const DECIDES = /(?:^|[\s}.(])(?:if|elif|else|for|while|switch|case|match|forEach|map|then)\b/;
const CONDITION = /(?:^|[\s}])(?:if|elif|else|switch|case|match|catch|except|while)\b/;
const LOOP = /^\s*(?:async\s+)?(?:for|while)\b/m;
const STOP = /\b(?:break|return)\b/;
const OPEN = /\|\||&&|\?(?!\.)|\b(?:or|and|if)\b/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#|import\b|from\b|export\b(?!\s+(?:const|function|async)))/;

/** The statement of a line, if no line of it compares by itself. */
function statementAt(text: string, begin: number): string | null {
  const line = text.slice(begin, endOfLine(text, begin));
  if (line.trim() === '' || COMMENT.test(line)) return null;
  const end = endOfStatement(text, begin);
  const inner = text.slice(begin, end).split('\n').slice(1);
  return inner.some((one) => DEMANDS.test(one) || expectedIn(one).length > 0)
    ? line
    : text.slice(begin, end).replaceAll('\n', ' ');
}

const DEMANDS = /\b(?:assert|expect)\w*\b/i;

/** What a line decides about: the rest of it, and what stands deeper below. */
function bodyOf(text: string, begin: number, head: string): string {
  const end = endOfLine(text, begin);
  const deep = indentAt(text, begin).length;
  const below = text.slice(end + 1).split('\n');
  const last = below.findIndex((line) => line.trim() !== '' && indentAt(line, 0).length <= deep);
  const body = last < 0 ? below : below.slice(0, last);
  return [text.slice(begin + head.length, end), ...body].join('\n');
}

const CALL = /(?<![\w$.)\]])((?:[A-Za-z_$][\w$]*\s*\.\s*)*)([A-Za-z_$][\w$]*)\s*\(/g;
const COMPARES =
  /^(?:(?:\w*_)?(?:\w*(?:equals?|same|cmp|compare)\w*|is|isnot|eqls?|like|match|is_deeply)|assert[A-Z]\w*|includes?(?:deep)?members|propert\w+|lengthOf)$/i;
const HEAD = /^(?:assert|t|self|chai|should|np|numpy|torch|pd|tm)\b/;
const TOLD = /^assert_(?:called|any_call|has_calls|awaited)\w*$/;
const OPERATOR: Readonly<Record<Recordable, RegExp>> = {
  js: /(?:===?|!==?)(?![=>])/g,
  python: /(?:==|!=|<=|>=|(?<![-=<])[<>]|\bnot\s+in\b|\bin\b|\bis\s+not\b|\bis\b)(?!=)/g,
};
const STOPS: Readonly<Record<Recordable, RegExp>> = {
  js: /[,;?:]|&&|\|\||=>|\b(?:return|throw|case|const|let|var|if|while)\b/y,
  python:
    /[,;:#]|==|!=|<=|>=|[<>]|\b(?:assert|return|and|or|not|if|else|elif|in|is|for|while|lambda|yield)\b/y,
};

function pairsIn(statement: string, language: Recordable, work: WorkNames): Found[] {
  const bare = bareStatement(statement);
  const chained = language === 'js' ? chainsIn(bare) : [];
  const called = [...bare.matchAll(CALL)].flatMap(({ index, 0: all, 1: on = '', 2: name = '' }) => {
    const isTold = TOLD.test(name);
    if (!(isTold || (COMPARES.test(name) && (HEAD.test(on) || on === '')))) return [];
    const args = argumentsFrom(bare, index + all.length);
    const end = args.at(-1)?.[1] ?? bare.length;
    if (/\b(?:function|def|async)\s*$/.test(bare.slice(0, index))) return [];
    if (/^\)\s*(?:\{|->|:\s*$)/.test(bare.slice(end))) return [];
    if (isTold) return args.map((one): Pair => [null, one]);
    const [given = null, expected = null] = args;
    return expected === null ? [] : [[given, expected] as Pair];
  });
  const isDemand =
    language === 'js' ? DEMANDING.test(bare) : /^\s*(?:assert\b|self\.assert)/.test(bare);
  const operated = [...bare.matchAll(OPERATOR[language])].flatMap(({ index, 0: sign }): Found[] => {
    // `for a, b in rows` compares nothing.
    if (sign === 'in' && WALKS.test(bare.slice(0, index))) return [];
    const from = index + sign.length;
    const left: Span = [beginOutside(bare, index, STOPS[language]), index];
    const right: Span = [from, endOutside(bare, from, STOPS[language])];
    if (!isDemand && !isAnswered(statement, bare, [left, right], work)) return [];
    const walked = walkerAt(bare, left[0])?.[1];
    if (walked === 'next' && !isDemand) return [];
    const isOther = /^(?:!|not|is\s+not)/.test(sign);
    const isPassedBy = walked !== undefined && isOther !== ENDS_AT_OTHER.test(walked);
    return [{ pair: [left, right], isDemand, isPassedBy }];
  });
  const whole = { isDemand: true, isPassedBy: false };
  return [...[...chained, ...called].map((pair) => ({ pair, ...whole })), ...operated];
}

/** An answer of the work is compared here, whatever was decided before it in the same line. */
function isAnswered(
  statement: string,
  bare: string,
  sides: readonly [Span, Span],
  { names, filled }: WorkNames,
): boolean {
  const own = sides.map((side) => says(statement.slice(...side), names));
  if (own[0] === own[1] || /^\s*\}?\s*(?:else|elif)\b/.test(bare)) return false;
  const before = statement.slice(0, sides[0][0]).replace(/^[^=!<>(]*=(?![=>])/, '');
  const isLate = /\|\||&&|\?(?!\.)|\b(?:or|and|else)\b/.test(bareStatement(before));
  return !(isLate && (says(before, names) || says(before, filled)));
}

const WALKS = /\bfor\s+(?:(?!\bin\b)[\w\s,()*])+$/;
/** They walk on where all is as it should be. */
const ENDS_AT_OTHER = /^(?:some|find|any|next)/;

const DEMANDING = /\b(?:assert\w*|expect|ok(?=\s*\()|throw|fail|exit|every)\b/i;

/** Each argument of each `expect` is expected for itself. */
function chainsIn(bare: string): Pair[] {
  const found: Pair[] = [];
  for (let from = 0; ; ) {
    const chain: Chain | null = chainOf(bare.slice(from));
    if (chain === null) return found;
    const at = ([begin, end]: Span): Span => [begin + from, end + from];
    for (const one of chain.args ?? []) found.push([null, at(one)]);
    if (chain.end <= 0) return found;
    from += chain.end;
  }
}

interface Asked {
  readonly sides: Pair;
  readonly mayBeFilled: readonly [boolean, boolean];
}

/** What of it is the same with the work as without. */
function asked(statement: string, pair: Pair, { names, filled, given }: WorkNames): Asked {
  const spans = pair.map((side) => (side === null ? null : spanOfValue(statement, side)));
  const [one = null, other = null] = spans;
  const said = spans.map((side) => (side === null ? '' : statement.slice(...side)));
  const isSaid = said.some((text, at) => spans[at] !== null && isLiteral(text));
  const mayBeFilled = (at: 0 | 1) => {
    const [text = '', beside = ''] = [said[at], said[1 - at]];
    const isGiven = says(beside, names) && says(beside, new Set([text]));
    return /^[A-Za-z_$][\w$]*$/.test(text) && (isGiven || given.has(text) || filled.has(text));
  };
  const isFit = (at: 0 | 1) => {
    const text = said[at] ?? '';
    return !isSaid && text !== '' && !UNFIT.test(withoutStrings(text)) && !says(text, names);
  };
  const isFilled = (at: 0 | 1) => says(said[at] ?? '', filled) && !mayBeFilled(at);
  const may = (at: 0 | 1) => isFit(at) && !isFilled(at);
  // What the work was given may be as it was: beside what is asked that is enough.
  const mayInstead = (at: 0 | 1) => isFit(at) && isFilled(at) && may(at === 0 ? 1 : 0);
  const keep = (at: 0 | 1, span: Span | null) => (may(at) || mayInstead(at) ? span : null);
  return {
    sides: [keep(0, one), keep(1, other)],
    mayBeFilled: [mayBeFilled(0) || mayInstead(0), mayBeFilled(1) || mayInstead(1)],
  };
}

/** What can't be handed on, and what is no value. */
const UNFIT =
  /^(?:\.\.\.|\*|\/|function\b|async\b|class\b|lambda\b|yield\b|(?:\([^()]*\)|[\w$]+)\s*=>)|\/\/|\/\*|#|:=/;

/** Without the name by which Python hands it. */
function spanOfValue(statement: string, side: Span): Span | null {
  const [from, to] = trimmed(statement, side);
  const named = /^[A-Za-z_]\w*\s*=(?![=>])\s*/.exec(statement.slice(from, to));
  const begin = from + (named?.[0].length ?? 0);
  return begin < to ? [begin, to] : null;
}
