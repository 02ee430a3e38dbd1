import { extensionOf } from '../scope/code-files.ts';
import { chainOf } from './chain.ts';
import { BRANCH, bareStatement, endOfOperand, expectedIn } from './expected.ts';
import type { Literal } from './literals.ts';
import { argumentsFrom, type Span } from './spans.ts';

/*
 * A line that expects no value still demands something: that a pattern is there, an error of a kind,
 * that a call fails, that something holds or is what another call says. The opposite of its demand
 * has to be noticed as another value has.
 */

type Language = 'js' | 'python' | 'perl' | 'shell' | 'c' | 'rust' | 'jvm' | 'other';

const LANGUAGES: readonly (readonly [Language, RegExp])[] = [
  ['js', /^[cm]?[jt]sx?$/],
  ['python', /^py$/],
  ['perl', /^(?:t|p[lm])$/],
  ['shell', /^(?:ba|da|z|k)?sh$/],
  ['c', /^(?:c|cc|cpp|cxx|h|hpp)$/],
  ['rust', /^rs$/],
  ['jvm', /^(?:java|kt|groovy)$/],
];

export function languageOf(path: string | null): Language {
  const extension = extensionOf(path ?? '');
  return LANGUAGES.find(([, kind]) => kind.test(extension))?.[0] ?? 'other';
}

/** A compiler may refuse what has no type before it runs. */
export const isTyped = (path: string | null): boolean =>
  /^[cm]?tsx?$/.test(extensionOf(path ?? ''));

/** Where any value may stand for any other, and the language refuses none before it runs. */
export const isUntyped = (path: string | null): boolean =>
  ['python', 'perl', 'shell'].includes(languageOf(path)) || /\.[cm]?jsx?$/.test(path ?? '');

/** Of no test, and of no kind in particular. */
const OTHER_NUMBER = '4711';

/** What is demanded instead; empty where no opposite is known. */
export function oppositesIn(statement: string, path: string | null): Literal[] {
  if (BRANCH.test(statement) && !/^\s*for\b/.test(statement)) return [];
  const language = languageOf(path);
  const bare = bareStatement(statement);
  const made: readonly (() => Found)[] = [
    () => isSo(bare, language),
    () => otherPattern(statement, language),
    () => otherKind(bare, language),
    () => noFailure(bare, language),
    () => sameTwice(bare, statement),
    () => (isUntyped(path) ? otherThanComputed(bare) : []),
    () => (language === 'python' ? noneInPython(bare) : []),
    () => notSo(bare, statement, language),
  ];
  for (const make of made) {
    const found = make();
    if (found.length > 0)
      return found.map(([[at, end], now]) => ({ at, end, now, isCompared: true }));
  }
  return [];
}

type Found = readonly (readonly [Span, string])[];

/** What fails by itself is asked by `noFailure`. */
const FAILURE = /throw|raise|reject/i;

/**
 * What must not be so must be: another pattern need not be there either, and of two calls each may
 * answer with a thing of its own.
 */
function isSo(bare: string, language: Language): Found {
  if (language === 'js') {
    const chain = chainOf(bare);
    const words = /\)((?:\s*\.\s*\w+)+?)?(\s*\.\s*not)(?=\s*\.\s*\w)/g;
    words.lastIndex = chain?.given[1] ?? bare.length;
    const found = chain === null || FAILURE.test(chain.name) ? null : words.exec(bare);
    if (found !== null && found.index === chain?.given[1]) {
      const end = words.lastIndex;
      return [[[end - (found[2]?.length ?? 0), end], '']];
    }
  }
  const [kind, positive] = NEGATIVES[language] ?? [];
  const named = kind?.exec(bare) ?? null;
  if (named === null || positive === undefined) return [];
  const [name] = named;
  return [[[named.index, named.index + name.length], positive(name)]];
}

/** By their names; where nobody says it by the language alone, two are made one instead. */
const NEGATIVES: Partial<Record<Language, readonly [RegExp, (name: string) => string]>> = {
  js: [
    /\b(?:doesNotMatch|not(?:\w*Equal|Match|Include|Same|Regex))(?=\s*\()/,
    (name) => name.replace(/^(?:doesNot|not)(\w)/, (_, first: string) => first.toLowerCase()),
  ],
  python: [/\bassert(?:Not|IsNot)(?!None)[A-Za-z]*(?=\s*\()/, (name) => name.replace('Not', '')],
  perl: [/\bunlike(?=\s*\()/, () => 'like'],
};

const FAILS = /\b(?:\w*throws?\w*|\w*raises?\w*|\w*rejects?\w*|\w*dies\w*|warns)\b/i;

/** `/W0\d/` and `qr/…/`: a sign that has to be there is another, or nothing can match. */
function otherPattern(statement: string, language: Language): Found {
  const kind =
    language === 'js'
      ? /(?<=[(,=]\s*)\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+)\/(?=[a-z]*\s*[,);])/g
      : language === 'perl'
        ? /(?<=\bqr\/|=~ \/)((?:\\.|[^/\\])+)(?=\/)/g
        : null;
  const found = kind === null ? undefined : [...statement.matchAll(kind)].at(-1);
  if (found === undefined || IS_NOT.test(statement.slice(0, found.index))) return [];
  const [all, pattern = ''] = found;
  const from = found.index + all.indexOf(pattern);
  return [[[from, from + pattern.length], unmatched(pattern)]];
}

/** `assert(!text.match(/b/))`: another pattern is not there either. */
const IS_NOT = /[(,=]\s*!(?![=~])[^,]*$/;

/** A letter that stands for itself, once, in a pattern without a choice. */
const SURE = /(?<!\\)[A-Za-z0-9](?![?*{])/;

function unmatched(pattern: string): string {
  const at = /[|[\]()]/.test(pattern) ? -1 : pattern.search(SURE);
  if (at < 0) return '(?!)';
  const sign = pattern.charCodeAt(at);
  const other = String.fromCharCode(sign + (/[9zZ]/.test(pattern.charAt(at)) ? -1 : 1));
  return pattern.slice(0, at) + other + pattern.slice(at + 1);
}

/** Of the language, and no kind of each other. */
const KINDS: Partial<Record<Language, readonly [string, string]>> = {
  js: ['EvalError', 'URIError'],
  python: ['StopAsyncIteration', 'BufferError'],
  jvm: ['ArrayStoreException', 'NegativeArraySizeException'],
};

/** What fails here by itself demands nothing of the work. */
const RAISES = /^\s*(?:raise|throw)\b/;

function otherKind(bare: string, language: Language): Found {
  const kinds = KINDS[language];
  if (kinds === undefined || RAISES.test(bare)) return [];
  if (!FAILS.test(bare) || /\bnot\b|doesNot/i.test(bare)) return [];
  const named = /\b(?:[A-Z]\w*)?(?:Error|Exception|Warning)\b(?!\s*\()/g;
  const call = FAILS.exec(bare)?.index ?? 0;
  const found = [...bare.matchAll(named)].find(({ index }) => index > call);
  if (found === undefined) return [];
  const [kind] = found;
  const warns = language === 'python' && kind.endsWith('Warning');
  const [first, second] = warns ? ['UnicodeWarning', 'BytesWarning'] : kinds;
  return [[[found.index, found.index + kind.length], kind === first ? second : first]];
}

/** What has to fail is a call of nothing, and what may not fail does. */
function noFailure(bare: string, language: Language): Found {
  if (language !== 'js') return [];
  const found =
    /\b(doesNotThrow|throws|doesNotReject|rejects)\s*\(/.exec(bare) ??
    (/\)\s*\.(?:not\s*\.\s*)?toThrow\w*\s*\(/.test(bare) ? /\b(expect)\s*\(/.exec(bare) : null);
  if (found === null) return [];
  const [call, name = ''] = found;
  const [first] = argumentsFrom(bare, found.index + call.length);
  if (first === undefined) return [];
  const isNot = name.startsWith('doesNot') || /\)\s*\.\s*not\b/.test(bare);
  const ends = isNot ? 'throw new Error();' : '';
  const now = /reject/i.test(name) ? `(async () => {${ends}})()` : `() => {${ends}}`;
  return [[first, now]];
}

/** `[ a != b ] || fail` of a shell. */
const DIFFER_IN_SHELL = /(?<=\[\s+)(\S.*?)\s+!=\s+(\S.*?)(?=\s+\]\s*\|\|)/;

const DIFFERS = /\b(?:not\w*equal|assertNot\w*Equal\w*|assert_ne!|isnt)\s*\(/i;

/** Two things that have to differ are one. */
function sameTwice(bare: string, statement: string): Found {
  const inShell = DIFFER_IN_SHELL.exec(statement);
  if (inShell !== null) {
    const [all, one = '', other = ''] = inShell;
    const end = inShell.index + all.length;
    return one === other ? [] : [[[end - other.length, end], one]];
  }
  const found = DIFFERS.exec(bare);
  if (found === null) return [];
  const [first, second] = argumentsFrom(bare, found.index + found[0].length);
  if (first === undefined || second === undefined) return [];
  const [one, other] = [first, second].map(([from, to]) => statement.slice(from, to).trim());
  return one === undefined || one === other ? [] : [[second, ` ${one}`]];
}

/** What another call says, or nothing, is a number of no test. */
function otherThanComputed(bare: string): Found {
  const [span] = expectedIn(bare);
  if (span === undefined) return [];
  const [from, to] = span;
  const [, before = '', given = '', behind = ''] =
    /^(\s*)(.*?)(\s*)$/s.exec(bare.slice(from, to)) ?? [];
  return given === '' ? [] : [[span, `${before}${OTHER_NUMBER}${behind}`]];
}

function noneInPython(bare: string): Found {
  const found = /\bassertIs(Not)?None\s*\(/.exec(bare);
  if (found === null) return [];
  const [first] = argumentsFrom(bare, found.index + found[0].length);
  return first === undefined ? [] : [[first, found[1] === undefined ? OTHER_NUMBER : 'None']];
}

const TRUTHS: Partial<Record<Language, RegExp>> = {
  js: /\b(?:assert(?:\.ok)?|ok|isTrue|isFalse)\s*\(/,
  python: /\b(?:assertTrue|assertFalse)\s*\(|^\s*assert\s(?!\s*$)/,
  perl: /\bok\s*\(/,
  c: /\bassert\s*\(/,
  rust: /\bassert!\s*\(/,
  jvm: /\bassert(?:True|False)\s*\(/,
};

/** What has to hold must not. */
function notSo(bare: string, statement: string, language: Language): Found {
  const found = TRUTHS[language]?.exec(bare);
  if (found == null) return [];
  const open = found.index + found[0].length;
  const given = found[0].trimEnd().endsWith('(')
    ? argumentsFrom(bare, open)
    : [[open, endOfOperand(bare, open)] as const];
  // JUnit 4 is told its words first.
  const isTold =
    language === 'jvm' && given.length > 1 && /^\s*"/.test(bare.slice(...(given[0] ?? [0, 0])));
  const span = isTold ? given[1] : given[0];
  if (span === undefined || bare.slice(...span).trim() === '') return [];
  const held = statement.slice(...span).trim();
  return [[span, language === 'python' ? `not (${held})` : `!(${held})`]];
}
