/** A value in a text, and another one of its kind and length in its place. */
export interface Literal {
  readonly at: number;
  readonly end: number;
  readonly now: string;
  /** A test that compares it for equality has to notice. */
  readonly isCompared: boolean;
  /** All tests that come to its line say it: each of them has to notice. */
  readonly isForAll?: boolean;
}

const NUMBER = /(?<![\w$&#%]|[A-Za-z_]-)\d+(?:\.\d+)?(?![\w>]|\.\d)/g;
const TRUTH = /(?<![\w$])(?:true|false|True|False)(?!\w)/g;
const STRING = /(["'`])((?:\\[^\n]|(?!\1)[^\\\n])+)\1/g;
/** What a shell compares with needs no quotes. */
const WORD = /(?<=(?:\[|\btest) .*\s(?:==?|!=)\s)[A-Za-z][\w-]*(?=\s*(?:\]|[;&|)]|$))/g;

/** What a text says of itself, of other files, or to the system decides nothing by its value. */
const COMMENT = /^\s*(?:#|\/\/|\/?\*|--|;)/;
const IMPORT = /^\s*(?:import|from|use|using|include|-include|source|\.|package|extern|mod|load)\b/;
/** Go lists what it imports, and JavaScript may say last where it does from. */
const IMPORTS = /^\s*import\s*\(\s*(?:\/\/.*)?$/;
const IMPORT_END = /^\s*\}\s*from\b/;
const LOADS = /\b(?:require|import)\s*\(\s*$/;
const TO_SYSTEM = /\b(?:exit|_exit|return|quit|shift|sleep)\b[\s(]*$/i;
/** What is said before it ends, or of why it does. */
const MESSAGE =
  /\breturn\s+(?:Err|fmt\.Errorf|errors\.New)\s*\(.*|\b(?:echo|printf|print|warn|console\.(?:log|error))\b[^;&|]*(?:;|&&)\s*(?:process\.exit|sys\.exit|exit|return|false)\b/g;
const JUDGES =
  /assert|expect|should|equal|same|match|\bis\b|\bok\b|[=!<>]=|-eq\b|-ne\b|\bdiff\b|\bcmp\b|\[ |fail|want|throw|panic|die/i;
const COMPARES = /equal|same|\btoBe\(|\bis\(|==|-eq\b|assert_eq|^\s*if\b.*!=/i;
const LOOSELY = /not|almost|close|throw|raise|reject|panic|(?<!if.*)!=/i;

export interface Reading {
  /** Strings that name something, such as a file or the test itself. */
  readonly isName: (value: string) => boolean;
  /** The lines that judge, trimmed; otherwise all but comments and imports. */
  readonly lines?: ReadonlySet<string> | undefined;
  /** Of the text, whose language its extension tells. */
  readonly path?: string | null;
  /** A command line, whose quotes may hold a program. */
  readonly isCommand?: boolean;
}

/**
 * Values of a text, those first by which a check most likely judges: numbers before truths before
 * strings, on lines that compare before others, the last of a line before those in front of it.
 */
export function literalsOf(text: string, reading: Reading): Literal[] {
  const found: Ranked[] = [];
  let start = 0;
  let isImporting = false;
  for (const line of text.split('\n')) {
    if (isImporting) isImporting = !/^\s*\)/.test(line);
    else isImporting = IMPORTS.test(line);
    if (!isImporting && mayJudge(line, reading)) {
      const aside = JUDGES.test(line) ? 0 : 1.5;
      for (const { literal, rank } of literalsIn(line, reading)) {
        found.push({ literal: moved(literal, start), rank: rank + aside });
      }
    }
    start += line.length + 1;
  }
  return found.sort((one, other) => one.rank - other.rank).map(({ literal }) => literal);
}

/** The last letter or digit of a text, for files that hold nothing but what is compared. */
export function lastSign(text: string): Literal[] {
  const at = /(?<!\\)[A-Za-z0-9](?=(?:\\.|[^A-Za-z0-9])*$)/s.exec(text)?.index;
  if (at === undefined) return [];
  return [{ at, end: at + 1, now: otherSign(text.charAt(at)), isCompared: false }];
}

interface Ranked {
  readonly literal: Literal;
  readonly rank: number;
}

const mayJudge = (line: string, { lines, isCommand }: Reading): boolean =>
  isCommand === true ||
  (lines?.has(line.trim()) ?? !(COMMENT.test(line) || IMPORT.test(line) || IMPORT_END.test(line)));

/** How a value is said, such as `%#v`: another letter is no other value, and no program for some. */
const DIRECTIVE = /%[-+#' 0]*[\d*]*(?:\.[\d*]+)?(?:hh?|ll?|[zjt])?[A-Za-z]/g;
const withoutSigns = (all: string): string => '%'.repeat(all.length);

/** A variable of the environment; another one is not set. */
const ENVIRONMENT = /\b(?:env(?:iron)?\s*\.\s*get|env::var|(?:get|lookup)_?env)\s*\(\s*$/i;

/** Strings that place something; another value of them is another place. */
const PLACE = /\$|^\.{0,2}\//;

function literalsIn(line: string, { isName, isCommand }: Reading): Ranked[] {
  const strings = [...line.matchAll(STRING)];
  const said = new Set(strings.map(([, , value = '']) => value));
  const members = memberStrings(line, strings);
  const isWithin = (at: number) => (found: RegExpMatchArray) =>
    at >= (found.index ?? 0) && at < (found.index ?? 0) + found[0].length;
  const messages = [...line.matchAll(MESSAGE)];
  const isApart = (at: number) =>
    messages.some(isWithin(at)) ||
    (isCommand !== true &&
      strings.some(({ index, 0: all }) => at > index && at < index + all.length)) ||
    TO_SYSTEM.test(line.slice(0, at));
  const isCompared = COMPARES.test(line) && !LOOSELY.test(line);
  const valuesOf = (kind: RegExp, other: (value: string) => string): Literal[] =>
    [...line.matchAll(kind)].flatMap(({ 0: value, index: at }) =>
      isApart(at) ? [] : [{ at, end: at + value.length, now: other(value), isCompared }],
    );
  const kinds: readonly Literal[][] = [
    valuesOf(NUMBER, (value) => value.slice(0, -1) + otherSign(value.slice(-1))),
    valuesOf(TRUTH, (value) => TRUTHS[value] ?? value),
    valuesOf(WORD, (value) => value.slice(0, -1) + otherSign(value.slice(-1))),
    strings.flatMap(({ index, 2: value = '' }) =>
      messages.some(isWithin(index)) ||
      isName(value) ||
      PLACE.test(value) ||
      LOADS.test(line.slice(0, index)) ||
      ENVIRONMENT.test(line.slice(0, index)) ||
      members.has(index)
        ? []
        : lastSign(value.replace(DIRECTIVE, withoutSigns)).map((sign) =>
            moved(unlike(sign, value, said), index + 1),
          ),
    ),
  ];
  return kinds.flatMap((literals, kind) =>
    literals.reverse().map((literal, place) => ({ literal, rank: kind + place * 4 })),
  );
}

/** `assert["equal"]`, `want['a']`: another one is another member, or none. */
function memberStrings(line: string, strings: readonly RegExpExecArray[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (!/[\w$)\].]\[/.test(line)) return found;
  const ends = new Map(strings.map(({ index, 0: all }) => [index, index + all.length]));
  const open: boolean[] = [];
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    const end = ends.get(at);
    if (end !== undefined) {
      if (open.at(-1) === true) found.add(at);
      at = end - 1;
    } else if ('([{'.includes(sign)) {
      open.push(sign === '[' && /[\w$)\].]/.test(line.charAt(at - 1)));
    } else if (')]}'.includes(sign)) open.pop();
  }
  return found;
}

/** No other value of the line: those of `keys('a', 'b')` may come in any order. */
function unlike(sign: Literal, value: string, said: ReadonlySet<string>): Literal {
  const isFree = (now: string) => !said.has(value.slice(0, sign.at) + now + value.slice(sign.end));
  const alphabet = ALPHABETS.find((all) => all.includes(sign.now)) ?? '';
  return { ...sign, now: [sign.now, ...alphabet].find(isFree) ?? sign.now };
}

const ALPHABETS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

export const moved = (literal: Literal, by: number): Literal => ({
  ...{ ...literal, at: literal.at + by, end: literal.end + by },
});

const TRUTHS: Readonly<Record<string, string>> = {
  ...{ true: 'false', false: 'true', True: 'False', False: 'True' },
};

export const otherSign = (sign: string): string =>
  String.fromCharCode(sign.charCodeAt(0) + (/[9zZ]/.test(sign) ? -1 : 1));

/** @param literals of this text, none of which overlap */
export function withLiterals(text: string, literals: readonly Literal[]): string {
  const ordered = [...literals].sort((one, other) => other.at - one.at);
  return ordered.reduce((all, { at, end, now }) => all.slice(0, at) + now + all.slice(end), text);
}
