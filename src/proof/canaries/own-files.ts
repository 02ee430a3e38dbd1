import { extensionOf, folderOf, isCode, nameOf, type Source } from '../scope/code-files.ts';
import { timesOf } from '../test-report.ts';
import { literally } from './spans.ts';

/*
 * Files that only the judge names could have any other name, as its words could. Where the check
 * holds by those names alone, the work has reached into one of them: a helper that it replaces, or a
 * list of cases that it shortens in memory.
 */

export interface Files {
  /** The judge's code, in which files are named. */
  readonly judge: readonly Source[];
  /** Files of the judge that may have another name. */
  readonly files: readonly string[];
  /** What others say: product, commands, manifests. */
  readonly elsewhere: readonly string[];
  /** All files of the original. */
  readonly paths: readonly string[];
}

const JAVASCRIPT = '[cm]?[jt]sx?';
/** Of what is named without its extension as well. */
const LEAST_LETTERS = 3;

/** Files that a text of the judge's names, and nothing else does. */
export function ownFiles({ judge, files, elsewhere, paths }: Files): string[] {
  if (judge.some(walksFolders)) return [];
  const isNamed = namesFiles(judge);
  const isNamedElsewhere = namesFiles(elsewhere.map((text) => ({ path: '', text })));
  const stems = timesOf(paths.map(stemOf));
  const names = timesOf(paths.map(nameOf));
  return files.filter((path) => {
    const stem = stemOf(path);
    const isShort = stem.length < LEAST_LETTERS;
    const isOne =
      isStemEnough(path) && !(isShort && isData(path))
        ? !isShort && stems.get(stem) === 1
        : names.get(nameOf(path)) === 1;
    return (
      (isCode(path) ? /^\w[\w-]*$/ : /^\w[\w.-]*$/).test(stem) &&
      isOne &&
      isNamed(path) &&
      !isNamedElsewhere(path)
    );
  });
}

/** Does one of these texts name a file that is another one? */
export function namesFiles(texts: readonly Source[]): (path: string) => boolean {
  const saying = new Map<string, Set<Source>>();
  for (const one of texts) {
    for (const word of one.text.match(TOKEN) ?? []) {
      saying.set(word, (saying.get(word) ?? new Set()).add(one));
    }
  }
  return (path) => {
    const some = [...(saying.get(firstOf(stemOf(path))) ?? [])].filter((one) => one.path !== path);
    const mentions = some.length === 0 ? [] : mentionsOf(path);
    return some.some(({ text }) => mentions.some(({ place }) => text.search(place) >= 0));
  };
}

/** What counts the files of a folder would count a copy as well. */
function walksFolders({ path, text }: Source): boolean {
  const isShell = /sh$/.test(extensionOf(path));
  return (
    /\b(?:readdir|listdir|scandir|iterdir|opendir|walk|r?glob|ReadDir|WalkDir)\w*\b|\*\.\w/.test(
      text,
    ) ||
    (isShell && /(?:\/\*(?:\s|["';)]|$)|\b(?:find|ls)\s)/m.test(text))
  );
}

/** Up to the last dot; `a.test` of `a.test.js`. */
export const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '');

const isData = (path: string): boolean => extensionOf(path) === 'json';

/** Texts name such a file without its extension as well. */
const isStemEnough = (path: string): boolean =>
  new RegExp(`^(?:${JAVASCRIPT}|json|rb|py)$`).test(extensionOf(path));

interface Mention {
  readonly place: RegExp;
  /** What stands there, where the file has this name. */
  readonly now: (name: string) => string;
}

/** How a text names this file: as a path, or as what it imports. */
function mentionsOf(path: string): Mention[] {
  const stem = literally(stemOf(path));
  const extension = extensionOf(path);
  const isJavascript = new RegExp(`^${JAVASCRIPT}$`).test(extension);
  const after = isJavascript ? JAVASCRIPT : extension;
  const plain = (source: string): Mention => ({
    ...{ place: new RegExp(source, 'gm'), now: (name) => name },
  });
  const called = (source: string): Mention => ({
    ...{ place: new RegExp(source, 'gm'), now: (name) => `${name} as ${stemOf(path)}` },
  });
  const folder = literally(nameOf(folderOf(path)));
  const named =
    after === ''
      ? // What has no extension is named by where it lies as well.
        [plain(`(?<=(?:(?<![\\w-])${folder || '\\.'}|(?<![\\w.])\\.)/)${stem}(?=['"\`\\s);|&]|$)`)]
      : [plain(`(?<![\\w.-])${stem}(?=\\.${after}\\b)`)];
  if (isJavascript || extension === 'rb' || (isData(path) && stem.length >= LEAST_LETTERS)) {
    named.push(plain(`(?<=['"\`][^'"\`\\n]*/|\\brequire_relative\\s+['"])${stem}(?=['"\`])`));
  }
  if (extension === 'py') {
    const from = '(?<=^[ \\t]*from[ \\t]+[\\w.]*?)';
    named.push(
      plain(`${from}\\b${stem}(?=[ \\t]+import\\b)`),
      plain(`(?<=^[ \\t]*import[ \\t]+)${stem}(?=[ \\t]+as\\b)`),
      called(`(?<=^[ \\t]*(?:from[ \\t]+[\\w.]+[ \\t]+)?import[ \\t]+)${stem}(?=[ \\t]*(?:#|$))`),
    );
  }
  return named;
}

/**
 * A text, where each file has its other name.
 *
 * @param isWord the file's name is a word of the judge's as well, which changes with it
 */
export function renamingFiles(
  names: ReadonlyMap<string, string>,
  isWord: (stem: string) => boolean,
): (text: string) => string {
  const all = [...names].map(([path, name]) => {
    const stem = stemOf(path);
    const word: Mention = { place: new RegExp(`\\b${literally(stem)}\\b`, 'g'), now: () => name };
    return { stem, name, mentions: [...(isWord(stem) ? [word] : []), ...mentionsOf(path)] };
  });
  return (text) => {
    const said = new Set(text.match(TOKEN));
    return all
      .filter(({ stem }) => said.has(firstOf(stem)))
      .flatMap(({ name, mentions }) => mentions.map((mention) => ({ name, ...mention })))
      .reduce((some, { name, place, now }) => some.replaceAll(place, () => now(name)), text);
  };
}

/**
 * Does a text say the name of a file that is another one, in whatever way: as a whole, or put
 * together of its stem and an extension that stands alone? What has quotes for its strings says it
 * there, and not in a sentence: elsewhere it is a word of the language. A title of a test is no name.
 */
export function saysFile(texts: readonly Source[]): (path: string) => boolean {
  const saying = new Map<string, Set<string>>();
  const alone = new Set<string>();
  for (const { path, text } of texts) {
    const isQuoting = isCode(path) && !/sh$/.test(extensionOf(path));
    const untitled = text.replaceAll(TITLED, '(');
    const strings = isQuoting
      ? untitled.match(QUOTED)?.filter((one) => !/\s/.test(one))
      : [untitled];
    const said = strings?.join('\n') ?? '';
    for (const word of said.match(/\w[\w-]*(?:\.\w+)*/g) ?? []) {
      const stem = `${word.replace(/\..*/s, '')}.*`;
      for (const one of [word, stem]) saying.set(one, (saying.get(one) ?? new Set()).add(path));
    }
    for (const [, dotted, whole] of said.matchAll(EXTENSION)) alone.add(dotted ?? whole ?? '');
  }
  return (path) => {
    const stem = stemOf(path);
    const extension = extensionOf(path);
    const isLoaded = isStemEnough(path) && (!isData(path) || alone.has('json'));
    const isJoined = extension === '' || alone.has(extension);
    const named = isLoaded ? [`${stem}.*`] : [nameOf(path), ...(isJoined ? [stem] : [])];
    return named.some((name) => [...(saying.get(name) ?? [])].some((one) => one !== path));
  };
}

const QUOTED = /(["'`])(?:\\.|(?!\1)[^\\])*\1/gs;
const TITLED =
  /\b(?:test|it|describe|context|suite|specify|step|subTest|Run)(?:\.\w+)*\s*\(\s*(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g;
/** `'.golden'`, `${name}.golden`, `%s.golden`, `$name.golden`, and `'golden'`. */
const EXTENSION = /(?:(?<![\w.-])|%[-+#\d]*[a-z]|\$\w+)\.(\w+)|(?<=^["'`])(\w+)(?=["'`]$)/gm;

const firstOf = (stem: string): string => stem.replace(/\..*$/s, '');

const TOKEN = /\w[\w-]*/g;

/** Where the file lies by its other name. */
export const copyOf = (path: string, name: string): string =>
  `${path.slice(0, path.length - nameOf(path).length)}${name}${nameOf(path).slice(stemOf(path).length)}`;
