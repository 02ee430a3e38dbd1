import { execFile } from 'node:child_process';
import type { Scope } from '../../../schema/scope.ts';
import { readEach } from '../../checkpoints/tree.ts';
import { linesOfOwnTests } from '../../proof/in-source-tests.ts';
import type { Source } from '../../proof/scope/code-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { type Wording, wordingOf } from '../../proof/words/bare-text.ts';
import {
  type Changed,
  cWords,
  GO_WORDS,
  JAVA_WORDS,
  newWordsIn,
  RUST_WORDS,
  type Takes,
  wordsOfJudge,
} from '../../proof/words/taken.ts';
import type { TreeChange } from '../../proof-place/tree-changes.ts';
import { hostProgram, programPath } from '../../sandbox/program-path.ts';
import type { Trees } from './shadows-by-text.ts';

/** Files of a language that are read at most; what is behind them is asked of nobody. */
const MOST_FILES = 5000;
const LONGEST_BYTES = 1024 * 1024;

/**
 * Files of the work that give a word of the judge's another meaning than the language does, such as
 * Go's `true` declared in the package of its tests, or `#define if` in a header.
 *
 * @param commands what criteria run, which a shell reads as well
 */
export async function takenWordsIn(
  changes: readonly TreeChange[],
  { trees, scope }: { readonly trees: Trees; readonly scope: Pick<Scope, 'change' | 'keep'> },
  commands: readonly string[],
): Promise<string[]> {
  const isWork = scopeTest(scope);
  const changed = changes.filter(({ path, now }) => now?.kind === 'file' && isWork(path));
  const languages = new Set(changed.flatMap(({ path }) => wordingOf(path) ?? []));
  const found: string[] = [];
  for (const language of languages) {
    const isOf = (path: string) => wordingOf(path) === language;
    const work = await versionsOf(
      trees,
      changed.filter(({ path }) => isOf(path)),
    );
    const fresh = newWordsIn(language, work);
    // Most work takes none, and then no other file is read.
    const some = fresh.length === 0 ? [] : fresh.filter(await ASKED[language](work, null));
    if (some.length === 0) continue;
    const original = await textsOf(
      trees,
      [...trees.original.entries].filter(([path]) => isOf(path)).slice(0, MOST_FILES),
    );
    const judge = [
      ...original.flatMap((one) => (isWork(one.path) ? ownTests(one) : [one])),
      ...(language === 'shell' ? commands.map((text) => ({ path: '', text })) : []),
    ];
    const said = wordsOfJudge(language, some, { work, original, judge });
    const takes = said.length === 0 ? null : await ASKED[language](work, original);
    if (takes !== null) found.push(...said.filter(takes).map(({ path }) => path));
  }
  return [...new Set(found)];
}

async function versionsOf(trees: Trees, changed: readonly TreeChange[]): Promise<Changed[]> {
  const now = await textsOf(
    trees,
    changed.flatMap(({ path, now }) => (now ? [[path, now]] : [])),
  );
  const before = await textsOf(
    trees,
    changed.flatMap(({ path, before }) => (before ? [[path, before]] : [])),
  );
  const was = new Map(before.map(({ path, text }) => [path, text]));
  return now.map(({ path, text }) => ({ path, text, before: was.get(path) ?? '' }));
}

function ownTests({ path, text }: Source): Source[] {
  const lines = linesOfOwnTests(path, text);
  return lines.size === 0 ? [] : [{ path, text: [...lines].join('\n') }];
}

/**
 * Each asks the language itself what words it has, where its definition lists them nowhere.
 *
 * @param original files whose headers count; null for all that are known
 */
const ASKED: Record<
  Wording,
  (work: readonly Source[], original: readonly Source[] | null) => Promise<Takes>
> = {
  go: async () => GO_WORDS,
  rust: async () => RUST_WORDS,
  jvm: async () => JAVA_WORDS,
  c: async (work, original) => {
    const isCpp = [...work, ...(original ?? [])].some(({ path }) => CPP.test(path));
    const headers = (original ?? []).flatMap(({ text }) => text.match(INCLUDES) ?? []);
    const known = isCpp ? [...HEADERS, ...CPP_HEADERS] : HEADERS;
    const names = original === null ? known : headers.map((line) => /<(.*)>/.exec(line)?.[1]);
    const text = [...new Set(['stdbool.h', 'stddef.h', ...names])]
      .map((name) => `#if __has_include(<${name}>)\n#include <${name}>\n#endif\n`)
      .join('');
    const printed = await told('cc', ['-E', '-dD', isCpp ? '-xc++' : '-xc', '-'], text);
    // A header may be one of C++ by its name, too.
    return cWords(printed, isCpp || original === null);
  },
  shell: async () => {
    const own = new Set((await told('bash', ['-c', 'compgen -b; compgen -k'])).split('\n'));
    return ({ word }) => own.has(word) || (!word.includes('/') && programPath(word) !== null);
  },
  python: async () => {
    const own = new Set((await told('python3', ['-I', '-c', PYTHON])).split('\n'));
    return ({ word }) => own.has(word);
  },
};

const INCLUDES = /^\s*#\s*include\s*<[\w./+-]+>/gm;
const CPP = /\.(?:cc|cpp|cxx|hh|hpp|hxx)$/;
const HEADERS =
  `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
  stdarg stdint stdio stdlib string strings threads time uchar unistd wchar wctype pthread fcntl`
    .split(/\s+/)
    .map((name) => `${name}.h`);
const CPP_HEADERS = ['algorithm', 'numeric', 'string', 'vector'];

const PYTHON = 'import builtins\nprint(*dir(builtins), sep="\\n")';

/** What the program prints; empty where it can't run. */
const told = (program: string, args: readonly string[], input = ''): Promise<string> =>
  new Promise((settle) => {
    const options = {
      ...{ cwd: '/', timeout: 10_000, maxBuffer: 1 << 26 },
      env: { PATH: process.env.PATH ?? '' },
    };
    const child = execFile(hostProgram(program), [...args], options, (_, stdout) => settle(stdout));
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

async function textsOf({ place }: Trees, files: Parameters<typeof readEach>[1]): Promise<Source[]> {
  const found: Source[] = [];
  for await (const [path, content] of readEach(place, files)) {
    if (content.length <= LONGEST_BYTES) found.push({ path, text: String(content) });
  }
  return found;
}
