import { bareStatement, expectedIn } from '../expected.ts';
import {
  endOfLine,
  endOfStatement,
  headersAround,
  indentAt,
  startsOfLines,
  statementsIn,
} from '../lines.ts';
import { argumentsFrom, endOutside, literally, type Span } from '../spans.ts';
import { apartFrom } from './apart.ts';
import { trimmed } from './edits.ts';
import { DECIDES, type WorkNames } from './from-work.ts';
import { headOf } from './head.ts';
import {
  beginOutside,
  isLiteral,
  namesIn,
  type Recordable,
  says,
  withoutStrings,
} from './names.ts';
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
  /** An answer is right for no other value of it. */
  readonly isCompared: boolean;
  /** The work is given it. */
  readonly isGiven: boolean;
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
  const isFixed = fixedIn(text, language);
  const isOften = oftenGiven(text, work);
  for (const begin of startsOfLines(text)) {
    if (!parts.some(([from, to]) => begin >= from && begin < to)) continue;
    const statement = statementAt(text, begin);
    if (statement === null) continue;
    const around = headersAround(text, begin);
    const isDecided = (line: string) =>
      DECIDES.test(line) && (says(line, work.names) || says(line, work.filled));
    const isCase = CASE.test(statement) && /\bswitch\b/.test(around[0] ?? '');
    if (around.slice(isCase ? 1 : 0).some(isDecided)) continue;
    const head = headOf(text, begin);
    const mayBe = around.some((line) => CONDITION.test(line));
    const loops = [head, ...around].filter((line) => LOOP.test(line));
    const isStopped = loops.some((line) => line !== head) && STOP.test(bodyOf(text, begin, head));
    const bare = bareStatement(statement);
    const cases = isCase && isDecided(around[0] ?? '') ? casesIn(bare) : [];
    for (const one of [...cases, ...foundIn(statement, language, work)]) {
      const { pair, isDemand, isPassedBy, isCompared, isGiven } = one;
      const isOfHead = pair[1] !== null && pair[1][1] <= head.length;
      if (isOfHead ? isStopped && !isDemand : isDecided(head)) continue;
      // It is given there as often as the work says.
      if (isGiven && isOfHead && AGAIN.test(head)) continue;
      const isOpen = isOfHead
        ? OPEN.test(bare.slice(0, head.length).replace(CONDITION, ''))
        : CONDITION.test(head) || OPEN.test(bare);
      const isOptional = mayBe || isPassedBy || isOpen;
      const isChanged = (name: string) =>
        isOften(name) || loops.some((line) => !says(line, new Set([name])));
      const here = asked(statement, one, work, isFixed, isChanged);
      const sides = here.sides.map((side): Span | null => {
        if (side === null) return null;
        const moved: Span = [side[0] + begin, side[1] + begin];
        return isFree(moved) ? moved : null;
      }) as unknown as Compared['sides'];
      const kept = sides.filter((side) => side !== null);
      if (kept.length === 0) continue;
      taken.push(...kept);
      const [expected] = [...kept].reverse();
      const isApart = isCompared && expected !== undefined && isFromNowhere(expected);
      found.push({ sides, mayBeFilled: here.mayBeFilled, isApart, isOptional });
    }
  }
  return found;
}

const CASE = /^\s*case\s+([^:]+):/;
const AGAIN = /\bwhile\b|;/;

/** What a `switch` compares an answer with. */
const casesIn = (bare: string): Found[] => {
  const [all = '', said = ''] = CASE.exec(bare) ?? [];
  const end = all.length - 1;
  const here = { isDemand: false, isPassedBy: true, isCompared: true, isGiven: false };
  return said === '' ? [] : [{ pair: [null, [end - said.length, end]], ...here }];
};

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

const DEMANDS =
  /(?<![\w$])(?:assert|expect)\w*(?![\w$])|(?<![\w$.])(?:t\.|should\b|ok\(|throw\s|fail\(|(?:process\.|sys\.)?exit\()/i;

/** What a line decides about: the rest of it, and what stands deeper below. */
function bodyOf(text: string, begin: number, head: string): string {
  const end = endOfLine(text, begin);
  const deep = indentAt(text, begin).length;
  const below = text.slice(end + 1).split('\n');
  const last = below.findIndex((line) => line.trim() !== '' && indentAt(line, 0).length <= deep);
  const body = last < 0 ? below : below.slice(0, last);
  return [text.slice(begin + head.length, end), ...body].join('\n');
}

const OPERATOR: Readonly<Record<Recordable, RegExp>> = {
  js: /(?:===?|!==?)(?![=>])|(?<=\s)(?:[<>]=?|[-+*%]|in)(?=\s)/g,
  python:
    /(?:==|!=|<=|>=|(?<![-=<])[<>]|\bnot\s+in\b|\bin\b|\bis\s+not\b|\bis\b)(?!=)|(?<=\s)[-+*%](?=\s)/g,
};
const STOPS: Readonly<Record<Recordable, RegExp>> = {
  js: /[,;?:]|&&|\|\||=>|\b(?:return|throw|case|const|let|var|if|while)\b/y,
  python:
    /[,;:#]|==|!=|<=|>=|[<>]|\b(?:assert|return|and|or|not|if|else|elif|in|is|for|while|lambda|yield)\b/y,
};

/** What the language or a call puts together, of which one may be an answer of the work. */
interface Group {
  readonly at: number;
  readonly members: readonly Span[];
  /** What is called, where it is a call. */
  readonly callee?: string;
  /** Other values of these, of all that it is given, do not hold as well. */
  readonly compared: number;
  readonly isOther: boolean;
}

function foundIn(statement: string, language: Recordable, work: WorkNames): Found[] {
  const bare = bareStatement(statement);
  const isDemand = DEMANDS.test(bare);
  const isOfWork = (span: Span) => says(statement.slice(...span), work.names);
  return [...calledIn(bare, language), ...operatedIn(bare, language)].flatMap((group): Found[] => {
    const { at, members, callee = '', compared, isOther } = group;
    const isOfCallee = says(callee, work.names);
    const demands = DEMANDS.test(callee);
    const walked = walkerAt(bare, at)?.[1];
    if (walked === 'next' && !isDemand) return [];
    const isPassedBy = walked !== undefined && isOther !== ENDS_AT_OTHER.test(walked);
    const whole = { isDemand, isPassedBy };
    if (isOfCallee || members.some(isOfWork) || (demands && callee.includes('('))) {
      if (!isDemand && isDecidedBefore(statement, at, work)) return [];
      return members
        .filter((one) => !isOfWork(one) && !DEMANDS.test(bare.slice(...one)))
        .map((one, index) => ({
          ...{ pair: [null, one], ...whole, isCompared: index < compared },
          isGiven: isOfCallee && !demands,
        }));
    }
    const [one, other] = members.filter((span) => !DEMANDS.test(bare.slice(...span)));
    return one === undefined ||
      other === undefined ||
      !(demands || (isDemand && callee === '' && compared > 0))
      ? []
      : [{ pair: [one, other], ...whole, isCompared: compared > 0, isGiven: false }];
  });
}

const NO_CALL = /(?<![\w$.])(?:if|for|while|switch|catch|return|function|def|class|in|of)$/;

/** Each call with what it is called on and given, and each member by a name that is computed. */
function calledIn(bare: string, language: Recordable): Group[] {
  return [...bare.matchAll(/(?<=[\w$)\]!.])[([]/g)].flatMap(({ index, 0: sign }): Group[] => {
    const args = argumentsFrom(bare, index + 1);
    const behind = bare.slice(args.at(-1)?.[1] ?? bare.length);
    const begin = beginOfChain(bare, index);
    const callee = bare.slice(begin, index);
    const before = bare.slice(0, begin);
    const isDefined =
      NO_CALL.test(callee) ||
      /\b(?:function|def|class|async)\s*\*?\s*$/.test(before) ||
      (language === 'js' && /^\)\s*(?:\{|=>|:[^,;?]*\{)/.test(behind));
    if (isDefined) return [];
    const isSlice =
      sign === '[' && language === 'python' && /:/.test(bare.slice(index, args.at(-1)?.[1]));
    // What walks is one value, whatever stands between its commas.
    const isWalk = args.some(([from, to]) => endOutside(bare, from, /\bfor\b/y) < to);
    const given = isSlice || isWalk ? [] : args;
    if (sign === '[') {
      return [{ at: begin, members: [[begin, index], ...given], compared: 0, isOther: false }];
    }
    const method = /\s*(?:\?\.|\.)\s*[\w$]+(?:<[^<>()]*>)?!?$/.exec(callee);
    const isMade = /\bnew\s+$/.test(before);
    const on: Span[] = method === null || isMade ? [] : [[begin, begin + method.index]];
    const compared = DEMANDS.test(callee) ? (callee.includes('(') ? given.length : 2) : 0;
    return [{ at: index, members: [...given, ...on], callee, compared, isOther: false }];
  });
}

/** Where what is called begins: names, and what is called or asked on the way. */
function beginOfChain(bare: string, at: number): number {
  let begin = at;
  for (;;) {
    const before = bare.slice(0, begin);
    const [said] = /(?:[\w$]+|"s*")!?$|[)\]]!?$/.exec(before) ?? [''];
    if (said === '') return begin;
    begin -= said.length;
    if (/^[)\]]/.test(said)) {
      begin = openOf(bare, begin);
      if (/[\w$)\]!]$/.test(bare.slice(0, begin))) continue;
    }
    const [dot] = /\s*(?:\?\.|(?<!\.)\.)\s*$/.exec(bare.slice(0, begin)) ?? [];
    if (dot === undefined) break;
    begin -= dot.length;
  }
  const [made] = /\bnew\s+$/.exec(bare.slice(0, begin)) ?? [''];
  return begin - made.length;
}

/** The bracket that this one closes. */
function openOf(bare: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (')]}'.includes(bare.charAt(at))) depth++;
    else if ('([{'.includes(bare.charAt(at)) && --depth === 0) return at;
  }
  return close;
}

const ARITHMETIC = /^[-+*%]$/;

function operatedIn(bare: string, language: Recordable): Group[] {
  return [...bare.matchAll(OPERATOR[language])].flatMap(({ index, 0: sign }): Group[] => {
    // `for a, b in rows` compares nothing.
    if (sign === 'in' && WALKS.test(bare.slice(0, index))) return [];
    const from = index + sign.length;
    const left: Span = [beginOutside(bare, index, STOPS[language]), index];
    const right: Span = [from, endOutside(bare, from, STOPS[language])];
    const isSum = ARITHMETIC.test(sign);
    // What is handed on comes from the work.
    if (isSum && /\breduce\b/.test(bare)) return [];
    const members = [left, right].filter(
      (span) => !(isSum && /\s[-+*/%]+\s/.test(bare.slice(...trimmed(bare, span)))),
    );
    const isOther = /^(?:!|not|is\s+not)/.test(sign);
    return [{ at: left[0], members, compared: isSum ? 0 : 2, isOther }];
  });
}

/** Whether it is come to was decided by the work before, in the same line. */
function isDecidedBefore(statement: string, at: number, { names, filled }: WorkNames): boolean {
  if (/^\s*\}?\s*(?:else|elif)\b/.test(statement)) return true;
  const before = statement.slice(0, at).replace(/^[^=!<>(]*=(?![=>])/, '');
  const isLate = /\|\||&&|\?(?!\.)|\b(?:or|and|else)\b/.test(bareStatement(before));
  return isLate && (says(before, names) || says(before, filled));
}

const WALKS = /\bfor\s+(?:(?!\bin\b)[\w\s,()*])+$/;
/** They walk on where all is as it should be. */
const ENDS_AT_OTHER = /^(?:some|find|any|next)/;

interface Asked {
  readonly sides: Pair;
  readonly mayBeFilled: readonly [boolean, boolean];
}

/** What of it is the same with the work as without. */
function asked(
  statement: string,
  { pair, isGiven }: Found,
  { names, filled, given }: WorkNames,
  isFixed: (name: string) => boolean,
  isChanged: (name: string) => boolean,
): Asked {
  const spans = pair.map((side) => (side === null ? null : spanOfValue(statement, side)));
  const [one = null, other = null] = spans;
  const said = spans.map((side) => (side === null ? '' : statement.slice(...side)));
  const isSaid = said.some((text, at) => spans[at] !== null && (isLiteral(text) || isFixed(text)));
  const mayBeFilled = (at: 0 | 1) => {
    const [text = '', span] = [said[at], spans[at]];
    const [, root] = MEMBER.exec(text) ?? [];
    if (isGiven) return root !== undefined && isChanged(root);
    const beside = statement.slice(0, span?.[0]) + statement.slice(span?.[1]);
    const isBeside = says(beside, names) && says(beside, new Set([text]));
    return /^[A-Za-z_$][\w$]*$/.test(text) && (isBeside || given.has(text) || filled.has(text));
  };
  const isFit = (at: 0 | 1) => {
    const text = said[at] ?? '';
    return !isSaid && text !== '' && !isUnfit(text) && !says(text, names);
  };
  const isFilled = (at: 0 | 1) => says(said[at] ?? '', filled) && (isGiven || !mayBeFilled(at));
  const may = (at: 0 | 1) => isFit(at) && !isFilled(at);
  // What the work was given may be as it was: beside what is asked that is enough.
  const mayInstead = (at: 0 | 1) => isFit(at) && isFilled(at) && may(at === 0 ? 1 : 0);
  const keep = (at: 0 | 1, span: Span | null) => (may(at) || mayInstead(at) ? span : null);
  return {
    sides: [keep(0, one), keep(1, other)],
    mayBeFilled: [mayBeFilled(0) || mayInstead(0), mayBeFilled(1) || mayInstead(1)],
  };
}

/** A name, or a member of one. */
const MEMBER = /^([A-Za-z_$][\w$]*)(?:\s*\??\.\s*[\w$]+|\s*\[[^[\]]*\])*$/;

/** Names that nobody changes: of a string or a number of the text, of the language, of a library. */
function fixedIn(text: string, language: Recordable): (name: string) => boolean {
  const own = text.replaceAll(LIBRARY, '');
  const isBound = (name: string) =>
    new RegExp(`(?<![\\w$.])${literally(name)}(?![\\w$])(?!\\s*[.([])`).test(own);
  const plain = new Set([...text.matchAll(PLAIN)].map(([, name = '']) => name));
  return (name) =>
    /^[\w$]+$/.test(name) && ((language === 'js' && plain.has(name)) || !isBound(name));
}

const PLAIN =
  /\bconst\s+([A-Za-z_$][\w$]*)(?:\s*:\s*\w+)?\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|`[^`$]*`|-?\d[\w.]*|true|false)\s*(?:;|\n)/g;
const LIBRARY =
  /^[ \t]*(?:import\s+[\w.]+(?:\s+as\s+\w+)?[ \t]*$|(?:import\s+(?:\*\s+as\s+)?[\w$]+\s+from|const\s+[\w$]+\s*=\s*require\()\s*["'][^."'][^"'\n]*["'])/gm;

/** Names that several statements give the work, of which the first one may change what they stand for. */
function oftenGiven(text: string, { names }: WorkNames): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const span of statementsIn(text, 0, text.length + 1)) {
    const said = text.slice(...span).replaceAll('\n', ' ');
    if (!says(said, names)) continue;
    for (const name of new Set(namesIn(said))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (name) => (counts.get(name) ?? 0) > 1;
}

/** It ends before its bracket does, or is no value. */
const isUnfit = (text: string): boolean => {
  const bare = withoutStrings(text);
  return UNFIT.test(bare) || endOutside(bare, 0, /=>|\b(?:for|yield)\b/y) < bare.length;
};

/** What can't be handed on, and what is no value. */
const UNFIT =
  /^(?:(?:this|self|cls|super)$|\.\.\.|\*|\/|function\b|async\b|class\b|lambda\b|yield\b|(?:\([^()]*\)|[\w$]+)\s*=>)|\/\/|\/\*|#|:=/;

/** Without the name by which Python hands it. */
function spanOfValue(statement: string, side: Span): Span | null {
  const [from, to] = trimmed(statement, side);
  const named = /^[A-Za-z_]\w*\s*=(?![=>])\s*/.exec(statement.slice(from, to));
  const begin = from + (named?.[0].length ?? 0);
  return begin < to ? [begin, to] : null;
}
