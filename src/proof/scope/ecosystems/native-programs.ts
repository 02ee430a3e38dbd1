import { folderOf, nameOf } from '../code-files.ts';
import { isJudgeLike } from '../judge-like.ts';
import { programsRunAlone, type RunAlone } from '../named-files.ts';
import { reach, type Tree, textOf } from '../tree.ts';

/** A statement of a build, and the sources that it names. */
export interface Statement {
  readonly build: string;
  readonly text: string;
  readonly sources: readonly string[];
}

/** Path → reason, for the sources of what is built in order to run as a test. */
type Reasons = ReadonlyMap<string, string>;

/**
 * A test runs a program that the build makes, and its exit code alone says whether all holds: the
 * sources that no other program has are the judge's, and headers that only those include. Where
 * nothing else is built, the program holds the work too, and the file with `main` alone judges. A
 * program whose sources have names of tests holds nothing else that judges.
 */
export function sourcesOfTests(
  tree: Tree,
  commands: readonly string[],
  statements: readonly Statement[],
  isByConvention: (path: string) => boolean,
): Reasons {
  const delivered = new Set(statements.filter(isInstalling).flatMap(({ text }) => wordsOf(text)));
  const runs = [...programsRunAlone(tree, commands), ...statements.flatMap(programOfTest)].filter(
    ({ program, hasArguments }) => !(hasArguments && delivered.has(nameOf(program))),
  );
  const isOfTest = ({ text, sources }: Statement) =>
    !sources.some(isJudgeLike) &&
    (isTesting(text) || madeBy(text).some((made) => runs.some((run) => isSame(made, run.program))));
  const others = new Set(statements.filter((one) => !isOfTest(one)).flatMap(namedIn));
  const isAlone = ![...others].some((path) => !isJudgeLike(path));
  const judges = new Map<string, string>();
  for (const { build, sources } of statements.filter(isOfTest)) {
    const own = sources
      .filter((path) => !others.has(path))
      .filter((path) => hasMain(tree, path) || !(isAlone || isByConvention(path)));
    for (const path of own) judges.set(path, `${build} makes a program of it that a test runs`);
  }
  if (isAlone) return judges;
  const ofProduct = reach(tree, others);
  for (const path of reach(tree, judges.keys())) {
    const isOwn = ofProduct.has(path) || isByConvention(path) || judges.has(path);
    if (!isOwn) judges.set(path, 'only a program that a test runs includes it');
  }
  return judges;
}

const namedIn = ({ sources }: Statement): readonly string[] => sources;

/** `add_test(…)`, `gtest_discover_tests(…)` and `test(…)` say by the call's name what they do. */
function isTesting(text: string): boolean {
  const call = CALL.exec(text)?.[2];
  return call !== undefined && isJudgeLike(`src/${call}/x.c`);
}

const isInstalling = ({ text }: Statement): boolean =>
  /^\s*(?:\w+\s*=\s*)?install\w*\b/.test(text) || /\binstall\s*:\s*true\b/.test(text);

const CALL = /^\s*(?:(\w+)\s*=\s*)?(\w+)\s*\(/;

/** The program that a statement has run as a test. */
function programOfTest({ text }: Statement): RunAlone[] {
  const words = argumentsOf(text);
  if (!isTesting(text) || words.includes('PROPERTIES')) return [];
  const at = words.indexOf('COMMAND');
  if (at < 0) return words.slice(0, 2).map((program) => ({ program, hasArguments: false }));
  const [program, next = 'COMMAND'] = words.slice(at + 1);
  if (program === undefined) return [];
  return [{ program: ownName(program), hasArguments: !/^[A-Z_]+$/.test(next) }];
}

/** `$<TARGET_FILE:unit>` and `./unit` are `unit`. */
const ownName = (word: string): string =>
  word.replace(/^\$<TARGET_FILE:(.*)>$/, '$1').replace(/^(?:\.\/)+/, '');

/** What a statement makes: its target, the variable that it is kept in, and what `-o` names. */
function madeBy(text: string): string[] {
  const [, variable, call] = CALL.exec(text) ?? [];
  const outputs = [...text.matchAll(/\s-o\s+(\S+)/g)].map(([, output = '']) => output);
  const target =
    call === undefined
      ? (/^([^\s:=]+)\s*:(?!=)/.exec(text)?.[1] ?? '')
      : (argumentsOf(text)[0] ?? '');
  const made = [target, ...outputs].filter((name) => name !== '' && name !== '$@');
  return [...(variable === undefined ? [] : [variable]), ...made.map(ownName)];
}

/** A build of its own folder says only how the program is called, not where it lies. */
const isSame = (made: string, run: string): boolean =>
  made === run || (nameOf(made) === nameOf(run) && (folderOf(made) === '' || folderOf(run) === ''));

const hasMain = (tree: Tree, path: string): boolean =>
  /\bw?main\s*\([^;{]*\)\s*(?:noexcept\s*)?\{/.test(textOf(tree, path));

const argumentsOf = (text: string): string[] => wordsOf(text.replace(CALL, ' '));

const wordsOf = (text: string): string[] => text.split(/[\s(),'"]+/).filter((word) => word !== '');
