import type { Scope } from '../../../schema/scope.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { Judge, JudgeText } from '../../proof/canaries/rounds.ts';
import { linesOfOwnTests } from '../../proof/in-source-tests.ts';
import { isCode } from '../../proof/scope/code-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { isTestFile } from '../../shell/file-kinds.ts';
import type { CheckRun } from '../run-check.ts';
import type { ProofTree } from './proof-tree.ts';

/** Files that are read to find what a check judges by. */
const MOST_FILES = 500;
const LONGEST_BYTES = 256 * 1024;

/**
 * The texts by which a check judges: the files with its tests where a runner names them, otherwise
 * its command and the files of the original that the command names; and the data that those name.
 */
export async function judgeOf(
  { store, entries, original }: ProofTree,
  scope: Scope,
  command: string,
  { report, command: resolved }: CheckRun,
  tests: readonly string[],
): Promise<Judge> {
  const paths = [...entries].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : []));
  const isWork = scopeTest(scope);
  const isOriginal = (path: string) =>
    !isWork(path) && entries.get(path)?.object === original?.get(path)?.object;
  const read = (some: readonly string[]) => textsOf(store, entries, some);
  const reported = (report?.passed ?? []).map((name) => name.split(' > ', 1)[0] ?? '');
  const named = namedIn(paths, [...(resolved?.texts ?? [command]), ...reported]);
  const candidates = paths.filter(mayTest);
  const isTested = report !== null || (resolved?.runners.size ?? 0) > 0;
  const begun =
    tests.length > 0
      ? [...named, ...candidates]
      : firstOf([named.filter(isOriginal), isTested ? candidates.filter(isOriginal) : []]);
  const texts = begun.length > 0 ? await read(begun) : (await read(named)).flatMap(ownTests);
  const known = new Set(texts.map(({ path }) => path));
  const beside = namedIn(
    paths,
    texts.map(({ text }) => text),
  ).filter((path) => isOriginal(path) && !known.has(path) && !isCode(path));
  const others = (report?.passed ?? []).filter((name) => !tests.includes(name));
  const own = tests.length > 0 ? [] : [{ path: null, text: command }];
  const isPath = tailTest(paths);
  return { texts: [...own, ...texts], data: await read(beside), tests, others, isPath };
}

/** Source that tests itself, such as documentation with examples. */
function ownTests(judge: JudgeText): JudgeText[] {
  const lines = linesOfOwnTests(judge.path ?? '', judge.text);
  return lines.size === 0 ? [] : [{ ...judge, lines }];
}

const firstOf = (choices: readonly (readonly string[])[]): readonly string[] =>
  choices.find((paths) => paths.length > 0) ?? [];

const mayTest = (path: string): boolean =>
  isTestFile(path) || /(?:^|\/)(?:tests?\.[cm]?[jt]sx?|t\/[^/]+\.t)$|\.rs$/.test(path);

const WORD = /[\w.@+-]+(?:\/[\w.@+-]+)*/g;

/** Paths that these texts name, whole or by their end; of a named folder, its tests. */
function namedIn(paths: readonly string[], texts: readonly string[]): string[] {
  const wordsOf = (some: readonly string[]) =>
    new Set(some.flatMap((text) => text.match(WORD) ?? []).map(withoutDots));
  const words = wordsOf(texts);
  // The program `test` is no folder.
  const folders = wordsOf(texts.flatMap((text) => text.split(/[;&|()\n]+/).map(withoutProgram)));
  const isNamed = (path: string) =>
    tailsOf(path).some((tail) => words.has(tail) && /[./]/.test(tail)) ||
    (mayTest(path) && headsOf(path).some((head) => folders.has(head)));
  return paths.filter(isNamed);
}

function tailTest(paths: readonly string[]): (value: string) => boolean {
  const tails = new Set(paths.flatMap(tailsOf));
  return (value) => tails.has(withoutDots(value));
}

const withoutProgram = (command: string): string => command.trim().replace(/^\S+/, '');

const withoutDots = (word: string): string => word.replace(/^(?:\.{1,2}\/)+/, '');

const tailsOf = (path: string): string[] =>
  path.split('/').map((_, at, parts) => parts.slice(at).join('/'));

const headsOf = (path: string): string[] =>
  path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]));

async function textsOf(
  store: ProofTree['store'],
  entries: ProofTree['entries'],
  paths: readonly string[],
): Promise<JudgeText[]> {
  const some = [...new Set(paths)].slice(0, MOST_FILES);
  const contents = await readObjects(
    store,
    some.map((path) => entries.get(path)?.object ?? ''),
  );
  return some.flatMap((path, index) => {
    const content = contents[index];
    const isText = content !== undefined && content.length <= LONGEST_BYTES && !content.includes(0);
    return isText ? [{ path, text: content.toString() }] : [];
  });
}
