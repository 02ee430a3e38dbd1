import type { Scope } from '../../../schema/scope.ts';
import { readEach } from '../../checkpoints/tree.ts';
import type { Judge, JudgeText } from '../../proof/canaries/judge.ts';
import { literalsOf } from '../../proof/canaries/literals.ts';
import { linesNamedIn } from '../../proof/canaries/pins.ts';
import { linesOfOwnTests } from '../../proof/in-source-tests.ts';
import { folderOf, isCode, nameOf } from '../../proof/scope/code-files.ts';
import { isBuild, isNative } from '../../proof/scope/ecosystems/native.ts';
import { judgesBuilt } from '../../proof/scope/infer-scope.ts';
import { programAtEnd } from '../../proof/scope/named-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { tailsOf } from '../../proof/shadow-names.ts';
import { fileOf } from '../../proof/test-report.ts';
import { isTestFile } from '../../shell/file-kinds.ts';
import type { CheckRun } from '../run-check.ts';
import type { ProofTree } from './proof-tree.ts';
import { textOf } from './text-of.ts';

/** Files that are read to find what a check judges by. */
const MOST_FILES = 500;
export const LONGEST_BYTES = 256 * 1024;

/**
 * The texts by which a check judges: the files with its tests where a runner names them, otherwise
 * its command, the files of the original that the command names, the sources of what it builds only
 * to run it, and those that its failure on the original named; and the data that those name.
 *
 * @param failed what it printed as it failed on the original; null where it held there
 */
export async function judgeOf(
  { store, entries, original }: ProofTree,
  scope: Scope,
  command: string,
  last: CheckRun,
  tests: readonly string[],
  failed: string | null,
): Promise<Judge> {
  const paths = [...entries].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : []));
  const isWork = scopeTest(scope);
  const isOriginal = (path: string) =>
    !isWork(path) && entries.get(path)?.object === original?.get(path)?.object;
  const unread = new Set<string>();
  const read = async (some: readonly string[]) => {
    const found = await readTexts(store, entries, some);
    for (const path of found.unread) unread.add(path);
    return found.texts;
  };
  const known = new Paths(paths);
  const ground = { paths, known, isOriginal, read };
  const { named, begun } = await begunBy(ground, command, last, tests, failed ?? '');
  const isJudging = (path: string) => isOriginal(path) || isTestFile(path);
  const first = (await read(begun)).flatMap((judge) =>
    isJudging(judge.path ?? '') ? [judge] : ownTests(judge),
  );
  const told = first.map(({ text }) => text);
  const walked = underGlobs(paths, told).filter(isOriginal);
  const isFirst = new Set(first.map(({ path }) => path));
  const more = walked.filter((path) => isCode(path) && !isFirst.has(path));
  const all = [...first, ...(await read(more))];
  const beside = [...known.in(told).filter(isOriginal), ...walked].filter((path) => !isCode(path));
  const compared = all.filter(isOnlyCompared);
  const isCompared = new Set(compared.map(({ path }) => path));
  const data = [...compared, ...(await read(beside.filter((path) => !isCompared.has(path))))];
  // A picture in a folder of tests is no text of theirs.
  const mayBeText = (path: string) => isCode(path) || !nameOf(path).includes('.');
  const isText = new Set([...begun.filter(isJudging), ...more].filter(mayBeText));
  const own = tests.length > 0 ? [] : [{ path: null, text: command }];
  const isNamed = new Set(named.filter(isOriginal));
  const failedAt = (path: string) =>
    linesNamedIn(failed ?? '', path, (one) => known.endingWith(one).length > 0);
  return {
    texts: [...own, ...all.filter((judge) => !isOnlyCompared(judge))],
    data,
    tests,
    others: (last.report?.passed ?? []).filter((name) => !tests.includes(name)),
    isPath: (value) => known.endingWith(withoutDots(value)).length > 0,
    ...(failed !== null && { failedAt }),
    isRun: (path) => isNamed.has(path),
    blamed: known.in([failed ?? '']),
    unread: {
      texts: [...unread].filter((path) => isText.has(path)),
      beside: [...unread].filter((path) => !isText.has(path)),
    },
  };
}

interface Ground {
  readonly paths: readonly string[];
  readonly known: Paths;
  readonly isOriginal: (path: string) => boolean;
  readonly read: (paths: readonly string[]) => Promise<readonly JudgeText[]>;
}

/** Files that the command and its runner name, and those with which the check begins. */
async function begunBy(
  { paths, known, isOriginal, read }: Ground,
  command: string,
  { report, command: resolved }: CheckRun,
  tests: readonly string[],
  failed: string,
): Promise<{ readonly named: readonly string[]; readonly begun: readonly string[] }> {
  const reported = (report?.passed ?? []).map(fileOf);
  const commands = resolved?.texts ?? [command];
  const candidates = paths.filter(mayTest);
  const run = await withScripts(known.in([...commands, ...reported]), async (scripts) =>
    known.in((await read(scripts.filter(isOriginal))).map(({ text }) => text)).filter(isCode),
  );
  const named = [...run, ...inFolders(candidates, commands)];
  const built = (await builtIn(read, paths, command)).filter(isOriginal);
  if (tests.length > 0) {
    // Where there are more tests than are read, those that turned come first.
    const turned = known.in(tests.map(fileOf)).filter(isCode);
    return { named, begun: [...turned, ...named, ...candidates, ...built] };
  }
  const isTested = report !== null || (resolved?.runners.size ?? 0) > 0;
  const blamed = known.blamedIn(failed).filter(isOriginal);
  const begun = firstOf([
    [...named.filter(isOriginal), ...built, ...blamed],
    isTested ? candidates.filter(isOriginal) : [],
    named,
  ]);
  return { named, begun };
}

/** `diff tests/a.expected out.txt`: a file that the command names, and that says no value by itself. */
const isOnlyCompared = ({ path, text }: JudgeText): boolean =>
  path !== null &&
  nameOf(path).includes('.') &&
  !isCode(path) &&
  literalsOf(text, { isName: () => false, path }).length === 0;

/** Sources of what the command builds only in order to run it as a test. */
async function builtIn(
  readAll: Ground['read'],
  paths: readonly string[],
  command: string,
): Promise<readonly string[]> {
  const told = paths.filter((path) => isBuild(path) || isNative(path) || SCRIPTS.test(path));
  if (!(told.some(isBuild) && told.some(isNative))) return [];
  const texts = await readAll(told);
  const byPath = new Map(texts.map(({ path, text }) => [path ?? '', text]));
  const read = (path: string) => byPath.get(path) ?? null;
  return [...judgesBuilt({ paths, read, commands: [command] }).keys()];
}

const SCRIPTS = /(?:^|\/)package\.json$/;

/** With what scripts of the shell among them name, which they run. */
async function withScripts(
  paths: readonly string[],
  namedIn: (scripts: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const all = new Set(paths);
  for (let scripts = [...all]; scripts.length > 0; ) {
    const found = await namedIn(scripts.filter((path) => SHELL.test(path)));
    scripts = found.filter((path) => !all.has(path));
    for (const path of scripts) all.add(path);
  }
  return [...all];
}

const SHELL = /\.(?:ba|da|z|k)?sh$/;

/** Source that tests itself, such as documentation with examples. */
function ownTests(judge: JudgeText): JudgeText[] {
  const lines = linesOfOwnTests(judge.path ?? '', judge.text);
  return lines.size === 0 ? [] : [{ ...judge, lines }];
}

/**
 * The command ends with the work itself, or with a program that does no more than load it: nothing
 * but the work's own exit code says whether it holds.
 */
export async function endsWithWork(
  { store, entries }: ProofTree,
  scope: Scope,
  { command }: Pick<CheckRun, 'command'>,
): Promise<boolean> {
  const isWork = scopeTest(scope);
  const known = new Paths([...entries.keys()]);
  const programs = (command?.texts ?? []).flatMap((text) => programAtEnd(text) ?? []);
  const run = known.in(programs.map(withModuleAsFile));
  if (run.some(isWork)) return true;
  const loading = (await textsOf(store, entries, run)).flatMap(({ text }) => text.match(LOADING));
  const loaded = new Set(loading.flatMap((line) => line?.match(/[\w-]+/g) ?? []));
  return [...entries.keys()].some(
    (path) => isWork(path) && isCode(path) && loaded.has(stemOf(path)),
  );
}

const LOADING = /^.*\b(?:require|import|from|use|source)\b.*$/gm;

const stemOf = (path: string): string => nameOf(path).replace(/\..*$/, '');

/** `python3 -m app.tool` runs `app/tool.py`, or `app/tool/__main__.py`. */
const withModuleAsFile = (program: string): string =>
  program.replace(/\s-m\s+([\w.]+)$/, (_, name: string) => {
    const path = name.replaceAll('.', '/');
    return ` ${path}.py ${path}/__main__.py`;
  });

const firstOf = (choices: readonly (readonly string[])[]): readonly string[] =>
  choices.find((paths) => paths.length > 0) ?? [];

const mayTest = (path: string): boolean =>
  isTestFile(path) || /(?:^|\/)(?:tests?\.[cm]?[jt]sx?|t\/[^/]+\.t)$|\.rs$/.test(path);

const WORD = /[\w.@+-]+(?:\/[\w.@+-]+)*/g;

const wordsOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => text.match(WORD) ?? []).map(withoutDots));

const withoutDots = (word: string): string => word.replace(/^(?:\.{1,2}\/)+/, '');

/** Finds files by their path, or by its end. */
class Paths {
  readonly #byName = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    for (const path of paths) {
      const known = this.#byName.get(nameOf(path));
      if (known === undefined) this.#byName.set(nameOf(path), [path]);
      else known.push(path);
    }
  }

  endingWith(tail: string): readonly string[] {
    return (this.#byName.get(nameOf(tail)) ?? []).filter(
      (path) => path === tail || path.endsWith(`/${tail}`),
    );
  }

  /** What these texts name. */
  in(texts: readonly string[]): string[] {
    const words = [...wordsOf(texts)].filter((word) => /[./]/.test(word));
    return [...new Set(words.flatMap((word) => this.endingWith(word)))];
  }

  /** Code of which this output names a line. */
  blamedIn(output: string): string[] {
    const names = new Set([...wordsOf([output])].map(nameOf));
    const paths = [...names].flatMap((name) => this.#byName.get(name) ?? []);
    const isKnown = (path: string) => this.endingWith(path).length > 0;
    return paths.filter((path) => isCode(path) && linesNamedIn(output, path, isKnown).length > 0);
  }
}

const GLOB = /([\w.@+-]+(?:\/[\w.@+-]+)*)\/[^\s/'"]*\*/g;

/** Files right below a folder of which these texts walk the files, as in `cases/*.input`. */
export function underGlobs(paths: readonly string[], texts: readonly string[]): string[] {
  const globs = texts.flatMap((text) => [...text.matchAll(GLOB)]);
  const folders = new Set(globs.map(([, folder = '']) => withoutDots(folder)));
  const isWalked = (folder: string) =>
    tailsOf(folder).some((tail) => tail !== '' && folders.has(tail));
  return folders.size === 0 ? [] : paths.filter((path) => isWalked(folderOf(path)));
}

/** Of tests, those in folders that these commands name; the program `test` is no folder. */
function inFolders(tests: readonly string[], commands: readonly string[]): string[] {
  const parts = commands.flatMap((text) => text.split(/[;&|()\n]+/));
  const folders = wordsOf(parts.map((part) => part.trim().replace(/^\S+/, '')));
  const isAbove = (path: string) =>
    path.split('/').some((_, at, parts) => at > 0 && folders.has(parts.slice(0, at).join('/')));
  return tests.filter(isAbove);
}

export async function textsOf(
  store: ProofTree['store'],
  entries: ProofTree['entries'],
  paths: readonly string[],
  most = MOST_FILES,
): Promise<JudgeText[]> {
  return (await readTexts(store, entries, paths, most)).texts;
}

/** With the paths of what is too much, too large or no text. */
async function readTexts(
  store: ProofTree['store'],
  entries: ProofTree['entries'],
  paths: readonly string[],
  most = MOST_FILES,
): Promise<{ readonly texts: JudgeText[]; readonly unread: readonly string[] }> {
  const all = [...new Set(paths)];
  const some = all.slice(0, most).flatMap((path) => {
    const entry = entries.get(path);
    return entry === undefined ? [] : [[path, entry] as const];
  });
  const texts: JudgeText[] = [];
  for await (const [path, content] of readEach(store, some)) {
    const isText = content.length <= LONGEST_BYTES && !content.includes(0);
    if (isText) texts.push({ path, text: textOf(content) });
  }
  const isRead = new Set(texts.map(({ path }) => path));
  return { texts, unread: all.filter((path) => !isRead.has(path)) };
}
