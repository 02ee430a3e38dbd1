import { extensionOf, type Source } from '../scope/code-files.ts';
import { timesOf } from '../test-report.ts';
import { bareText, wordingOf } from '../words/bare-text.ts';
import { definitionsIn, FUNCTION, firstGroups, macros } from '../words/definitions.ts';

/*
 * Words that the judge gives a meaning itself, such as its own `assert_fails`, could have any other
 * name. Where the check holds by those names alone, the work has taken one of them.
 */

/** Functions, macros and variables that other files reach by their names. */
const DEFINED: readonly (readonly [extensions: RegExp, kind: RegExp])[] = [
  [
    /^[cm]?[jt]sx?$/,
    /\bfunction\s*\*?\s*([A-Za-z_]\w*)\s*\(|^(?:export\s+)?(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?(?:\([^()\n]*\)|[A-Za-z_]\w*)\s*=>|\bexports\.([A-Za-z_]\w*)\s*=(?!=)/gm,
  ],
  [/^py$/, /^(?:async\s+)?def\s+([A-Za-z_]\w*)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm],
  [/^rb$/, /^def\s+([A-Za-z_]\w*)|^\$([A-Za-z_]\w*)\s*=(?!=)/gm],
  [/^(?:t|p[lm])$/, /^\s*sub\s+([A-Za-z_]\w*)|^\s*our\s+[$@%]([A-Za-z_]\w*)/gm],
  [/^rs$/, /^\s*(?:pub\s+)?fn\s+([A-Za-z_]\w*)|\bmacro_rules!\s*([A-Za-z_]\w*)/gm],
];
/** Those of a shell that no process is handed; in capitals they set what is sourced. */
const SHELL_VARIABLE =
  /(?:^|[;&|{]|\b(?:then|do)\b)[ \t]*([a-z_][a-z_\d]*)=(?:"[^"\n]*"|'[^'\n]*'|\$\([^)\n]*\)|[^\s;&|"'$]*)[ \t]*(?=$|[;&|#}])/gm;
const C_VARIABLE =
  /^(?!(?:static|typedef|extern|return)\b)[A-Za-z_][\w \t*]*?[ \t*]([A-Za-z_]\w*)(?:\[[^\]\n]*\])*[ \t]*[=;]/gm;

function definedIn({ path, text }: Source): string[] {
  const wording = wordingOf(path);
  if (wording === 'shell') {
    const handed = new Set(firstGroups(text, /\bexport\s+(?:-\w+\s+)?(\w+)/g));
    const variables = firstGroups(text, SHELL_VARIABLE).filter((word) => !handed.has(word));
    return [...definitionsIn(wording, text).keys(), ...variables];
  }
  if (wording === 'c') {
    const called = [...definitionsIn(wording, text)].filter(([, meaning]) => meaning === FUNCTION);
    const bare = bareText(wording, text);
    return [
      ...[...called, ...macros(bare)].map(([word]) => word),
      ...firstGroups(bare, C_VARIABLE),
    ];
  }
  if (wording === 'go') return [...definitionsIn(wording, text).keys()];
  const extension = extensionOf(path);
  const kind = DEFINED.find(([extensions]) => extensions.test(extension))?.[1];
  return kind === undefined ? [] : firstGroups(text, kind);
}

const WORD = /[A-Za-z_]\w*/g;
/** A runner calls them by their names. */
const CALLED = /^(?:test|main$|bench|example|fuzz|set_?up|tear_?down|pytest|_)/i;
const LEAST_LETTERS = 3;
const MOST_WORDS = 200;

/**
 * Words that the judge's texts define and use, and that nobody else says: neither the original's
 * other texts, nor commands, nor names of tests or files.
 */
export function ownWords(
  judge: readonly Source[],
  elsewhere: readonly string[],
  paths: readonly string[],
): string[] {
  const counts = timesOf(judge.flatMap(({ text }) => text.match(WORD) ?? []));
  const others = new Set([...elsewhere, ...paths].flatMap((text) => text.match(WORD) ?? []));
  const keys = new Set(judge.flatMap(({ text }) => keysIn(text)));
  const defined = new Set(judge.flatMap(definedIn));
  const isOwn = (word: string) =>
    word.length >= LEAST_LETTERS &&
    (counts.get(word) ?? 0) > 1 &&
    !(CALLED.test(word) || others.has(word) || keys.has(word));
  return [...defined].filter(isOwn).slice(0, MOST_WORDS);
}

/** Names by which something is handed to others: `{ onDone }` in a call, and `f(key=…)`. */
function keysIn(text: string): string[] {
  const handed = text
    .replaceAll(/\bmodule\.exports\s*=|\bexport\s+default\b/g, '')
    .matchAll(/[(,=:?[]\s*\{([^{}]*)\}/g);
  const named = text.matchAll(/[(,]\s*([A-Za-z_]\w*)\s*=(?![=>])/g);
  return [
    ...[...handed].flatMap(([, keys = '']) => keys.match(WORD) ?? []),
    ...[...named].map(([, key = '']) => key),
  ];
}

export interface Renaming {
  readonly words: readonly string[];
  readonly nameOf: (word: string) => string | undefined;
  readonly rename: (text: string) => string;
  readonly undo: (text: string) => string;
}

/**
 * Other names of the same length, so that no line and no column moves.
 *
 * @param letter one by lot, of a to z
 * @param least letters of a name where its length matters to nobody, as that of a file
 * @param taken words that are none of them
 */
export function renamingOf(
  words: readonly string[],
  taken: (word: string) => boolean,
  letter: () => string,
  least = 0,
): Renaming {
  const names = new Map<string, string>();
  const given = new Set<string>();
  for (const word of words) {
    for (let tries = 0; tries < 20 && !names.has(word); tries++) {
      const length = Math.max(word.length, least) - 1;
      const first = /[A-Za-z_]/.test(word.charAt(0)) ? word.charAt(0) : letter();
      const name = first + Array.from({ length }, letter).join('');
      if (taken(name) || given.has(name) || name === word) continue;
      names.set(word, name);
      given.add(name);
    }
  }
  const back = new Map([...names].map(([word, name]) => [name, word]));
  const by = (map: ReadonlyMap<string, string>) => (text: string) =>
    text.replaceAll(WORD, (word) => map.get(word) ?? word);
  return {
    words: [...names.keys()],
    nameOf: (word) => names.get(word),
    rename: by(names),
    undo: by(back),
  };
}

/** Both failed in the same way: what they printed differs in numbers alone. */
export const isSameFailure = (one: string, other: string): boolean =>
  withoutNumbers(one) === withoutNumbers(other);

const withoutNumbers = (output: string): string =>
  output
    .replaceAll(/\b0x[\da-f]+\b|\d+(?:\.\d+)?/gi, '0')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .sort()
    .join('\n');
