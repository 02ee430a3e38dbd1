import { folderOf, nameOf } from '../scope/code-files.ts';
import { bareStatement } from './expected.ts';
import type { JudgeText } from './judge.ts';
import { headersAround, startsOfLines } from './lines.ts';
import { argumentsFrom, literally } from './spans.ts';

/*
 * A report names a test by its file or module, its suites, and its title. The title says where it
 * stands; where several tests have one title, file and suites do.
 */

/** By text, where tests begin: the begins of their lines, by their names. */
export type Places = ReadonlyMap<JudgeText, ReadonlyMap<string, readonly number[]>>;

export function placesIn(texts: readonly JudgeText[], names: readonly string[]): Places {
  const all = [...new Set(names)].map(namedOf);
  const read = texts.map((judge) => new Text(judge));
  const found = new Map(read.map((text) => [text, new Map<number, Named[]>()]));
  const add = (text: Text, named: Named, places: readonly number[]) => {
    for (const at of new Set(places)) {
      const there = found.get(text)?.get(at);
      if (there === undefined) found.get(text)?.set(at, [named]);
      else there.push(named);
    }
  };
  for (const text of read) for (const named of all) add(text, named, text.placesOf(named));
  const kept = new Map(read.map((text) => [text, new Map<string, number[]>()]));
  const keep = (text: Text, named: Named, at: number) => {
    const places = kept.get(text);
    places?.set(named.name, [...(places.get(named.name) ?? []), at]);
  };
  for (const [text, places] of found) {
    for (const [at, claiming] of places) {
      for (const named of bestOf(text, at, claiming)) keep(text, named, at);
    }
  }
  // Its title is a variable, or what a case of it says: here, or in a helper that makes the tests.
  const untitled = read.filter((text) => text.untitled.length > 0);
  const owning = new Set(read.filter(({ judge }) => all.some((one) => isOwn(one, judge))));
  for (const named of all) {
    const own = untitled.filter(({ judge }) => isOwn(named, judge));
    const placedIn = read.filter((text) => kept.get(text)?.has(named.name));
    const isRow = placedIn.length > 0 && placedIn.every((text) => text.isInRow(named));
    if (placedIn.length > 0 && !isRow) continue;
    const texts = own.length > 0 ? own : untitled.filter((text) => !owning.has(text));
    if (texts.length > 0) for (const text of placedIn) kept.get(text)?.delete(named.name);
    for (const text of texts) for (const at of text.untitled) keep(text, named, at);
  }
  return new Map([...kept].map(([{ judge }, places]) => [judge, places]));
}

/** Whether the name says that the test stands in this file. */
export const isOwnFile = (name: string, path: string | null): boolean =>
  ownness(namedOf(name), path) > 0;

const isOwn = (named: Named, { path }: JudgeText): boolean => ownness(named, path) > 0;

/** Of several tests with this title, those whose file and suites these are. */
function bestOf(text: Text, at: number, claiming: readonly Named[]): readonly Named[] {
  if (claiming.length < 2) return claiming;
  const around = headersAround(text.judge.text, at);
  const scores = claiming.map((named) => {
    const matched = named.suites.filter((suite) => around.some((line) => line.includes(suite)));
    return ownness(named, text.judge.path) * 100 + matched.length * 2 - named.suites.length;
  });
  const best = Math.max(...scores);
  return claiming.filter((_, index) => scores[index] === best);
}

interface Named {
  readonly name: string;
  /** A file, a class, a package, or a path of modules. */
  readonly origin: string;
  readonly suites: readonly string[];
  readonly title: string;
  /** Of an example in documentation, from 1. */
  readonly line?: number;
  readonly spellings: readonly string[];
}

/** `src/lib.rs - add (line 3)` */
const EXAMPLE = /^(\S+\.rs) - .*\(line (\d+)\)/;

function namedOf(name: string): Named {
  const [, file, line] = EXAMPLE.exec(name) ?? [];
  if (file !== undefined) {
    return { name, origin: file, suites: [], title: name, line: Number(line), spellings: [] };
  }
  const parts = name.split(' > ');
  const title = parts.at(-1) ?? '';
  const modules = title.includes(' ') ? [] : title.split('::').slice(0, -1);
  const origin = parts.length > 1 ? (parts[0] ?? '').replace(/^(?:\.{1,2}\/)+/, '') : '';
  const suites = [...parts.slice(1, -1), ...modules];
  return { name, origin, suites, title, spellings: spellingsOf(name) };
}

/** A report names suites, modules and parameters with a test. */
export function spellingsOf(name: string): string[] {
  const last = name.split(' > ').at(-1) ?? '';
  const plain = last.replace(/[[(].*$/s, '').trim();
  const own = [plain.split('::').at(-1), plain.split('/')[0], plain.split('.').at(-1)];
  return [last, plain, ...own].filter((one) => one !== undefined && one !== '') as string[];
}

/** How much of the path a name says; 0 where it says another one, or none. */
function ownness({ origin, suites }: Named, path: string | null): number {
  if (path === null) return 0;
  if (path === origin || path.endsWith(`/${origin}`)) return origin === '' ? 0 : origin.length;
  const stem = nameOf(path).replace(/\..*$/, '');
  const folder = folderOf(path);
  if (origin === '') return suites.includes(stem) || suites.includes(nameOf(folder)) ? 1 : 0;
  if (origin.replace(/\$.*$/, '').split('.').at(-1) === stem) return stem.length;
  return folder !== '' && origin.endsWith(`/${folder}`) ? folder.length : 0;
}

const TITLE = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
/** What runners of JavaScript put a case's own values in for. */
const OF_CASE = /%[sdifjoOpc#$]|\$\{[^}]*\}|\$[\w.#]+/;
/** A title that says nothing but values of a case. */
const OF_VALUES = '(["\'`])(?:%[a-z]|\\$\\{[^}]*\\}|\\$[\\w.]+|[^\\w%$"\'`\\n])+';
/** A test whose title is what a variable holds, or values of its case. */
const UNTITLED = new RegExp(
  `(?<![\\w$.])(?:[\\w$]+\\s*\\.\\s*)?(?:test|it|specify)\\s*\\(\\s*(?:(?!async\\b|function\\b)[A-Za-z_$][\\w$.[\\]]*(?:\\([^()\\n]*\\))?|${OF_VALUES}\\1)\\s*,|\\)\\s*\\(\\s*${OF_VALUES}\\2\\s*,`,
  'g',
);
/** A title that is put together is no longer. */
const LONGEST_TITLE = 300;

interface Title {
  readonly pattern: RegExp;
  readonly at: number;
}

/** What is looked up for each of many tests is found once. */
class Text {
  readonly judge: JudgeText;
  readonly #words: ReadonlySet<string>;
  #titles: readonly Title[] | undefined;
  #lines: readonly number[] | undefined;

  constructor(judge: JudgeText) {
    this.judge = judge;
    this.#words = new Set(judge.text.match(/\w+/g));
  }

  placesOf(named: Named): number[] {
    const { text } = this.judge;
    const { spellings, title, line } = named;
    if (line !== undefined) {
      const at = ownness(named, this.judge.path) > 0 ? this.#begins[line - 1] : undefined;
      return at === undefined ? [] : [at];
    }
    for (const spelled of spellings) {
      const [word] = /\w+/.exec(spelled) ?? [];
      if (word !== undefined && !this.#words.has(word)) continue;
      const places: { readonly line: number; readonly isQuoted: boolean }[] = [];
      for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + 1)) {
        const around = text.charAt(at - 1) + text.charAt(at + spelled.length);
        // A line is read whole, because quotes begin in front of a name.
        if (!/\w/.test(around))
          places.push({ line: this.#lineOf(at), isQuoted: /^(["'`])\1$/.test(around) });
      }
      // `'sums'` is no other test than `'sums more'` where it stands alone as well.
      const quoted = places.filter(({ isQuoted }) => isQuoted);
      const found = quoted.length > 0 ? quoted : places;
      if (found.length > 0) return found.map(({ line }) => line);
    }
    this.#titles ??= [...this.#tableTitles(), ...this.#joinedTitles()];
    return this.#titles.flatMap(({ pattern, at }) => (pattern.test(title) ? [at] : []));
  }

  get untitled(): number[] {
    return [...this.judge.text.matchAll(UNTITLED)].map(({ index }) => this.#lineOf(index));
  }

  /** Its title stands here, and no test is called by it. */
  isInRow({ title }: Named): boolean {
    const quoted = `(["'\`])${literally(title)}\\1`;
    const { text } = this.judge;
    return new RegExp(quoted).test(text) && !new RegExp(`[\\w$)]\\s*\\(\\s*${quoted}`).test(text);
  }

  get #begins(): readonly number[] {
    this.#lines ??= startsOfLines(this.judge.text);
    return this.#lines;
  }

  #lineOf(at: number): number {
    return this.judge.text.lastIndexOf('\n', at) + 1;
  }

  /** A title of a table of cases, such as `'%i is %s'`, stands for the names of all of them. */
  #tableTitles(): Title[] {
    return [...this.judge.text.matchAll(TITLE)].flatMap(({ 2: title = '', index }) =>
      this.#titleOf(title.split(OF_CASE), index),
    );
  }

  /** `'adds ' + one + ' and ' + other`, as the first thing that a call is given. */
  #joinedTitles(): Title[] {
    const { text } = this.judge;
    return [...text.matchAll(/[\w$]\s*\(\s*/g)].flatMap(({ index, 0: call }) => {
      const open = index + call.length;
      const said = text.slice(open, open + LONGEST_TITLE);
      if (!said.includes('+')) return [];
      const bare = bareStatement(said);
      const [[from, to] = [0, 0]] = argumentsFrom(bare, 0);
      const operands = argumentsFrom(`${bare.slice(from, to)})`, 0, '+');
      if (operands.length < 2) return [];
      const parts = operands.map(([begin, end]) => {
        const [, own] = /^\s*["'`](.*)["'`]\s*$/s.exec(said.slice(begin, end)) ?? [];
        const isString = own !== undefined && /^\s*"s*"\s*$/.test(bare.slice(begin, end));
        return isString ? own.split(OF_CASE) : ['', ''];
      });
      return this.#titleOf(joined(parts), index);
    });
  }

  #titleOf(said: readonly string[], index: number): Title[] {
    if (said.length < 2 || !said.some((one) => /[A-Za-z]{2}/.test(one))) return [];
    const pattern = new RegExp(`^${said.map(literally).join('.*')}$`, 's');
    return [{ pattern, at: this.#lineOf(index) }];
  }
}

/** Texts around what is not known, joined: the last of one goes on with the first of the next. */
const joined = (parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (all, [first = '', ...more]) => [...all.slice(0, -1), `${all.at(-1) ?? ''}${first}`, ...more],
    [''],
  );
