import { ownValue } from '../../../schema/own-value.ts';
import { enterFolder, type Folder } from './folder.ts';
import { type ProgramCall, readPackageManager } from './package-managers.ts';
import type { Fact } from './path.ts';
import { unwrap } from './wrappers.ts';

/** The meaning of a command line, apart from how it is spelled. */
export interface Invocation {
  /** With its subcommand: `npm run test`, `go test`, `pytest`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly folders: ReadonlySet<Folder>;
  /** Whether the words themselves choose a folder (`make -C`, `npm --prefix`). */
  readonly hasMoved: boolean;
  readonly environment: ReadonlyMap<string, string>;
  readonly hasSucceeded: boolean;
}

/** `slashed` reads backslashes as path separators. */
export type Spelling = 'text' | 'slashed';

export function invocationOf(fact: Fact, spelling: Spelling, workspace?: string): Invocation {
  const { words, assignments } = unwrap(fact.words);
  const read = readProgram(words.map((word) => word[spelling]));
  const { into } = read;
  const input = fact.redirects
    .filter(({ operator, target }) => operator.startsWith('<') && target.text !== '/dev/null')
    .map(({ operator, target }) => `${operator}${target.text}`);
  return {
    program: read.program,
    args: [...read.args, ...input],
    folders: into === undefined ? fact.folders : enterAll(fact.folders, into, workspace),
    hasMoved: into !== undefined,
    environment: new Map([...fact.assignments, ...assignments]),
    hasSucceeded: fact.hasSucceeded,
  };
}

function enterAll(
  folders: ReadonlySet<Folder>,
  into: string,
  workspace: string | undefined,
): ReadonlySet<Folder> {
  return new Set([...folders].map((folder) => enterFolder(folder, into, workspace)));
}

export function readProgram(words: readonly string[]): ProgramCall {
  const [first = '', ...rest] = words;
  const name = programName(first);
  const managed = readPackageManager(name, rest);
  if (managed !== null) return 'inner' in managed ? readProgram(managed.inner) : managed;
  const runner = innerOfRunner(name, rest);
  if (runner !== null) return readProgram(runner);
  if (name === 'python') return readPython(rest);
  if (name === 'node') return readNode(rest);
  if (/^(bash|sh)$/.test(name) && /^[^-].*\.sh$/.test(rest[0] ?? '')) {
    return readProgram([`./${rest[0]}`, ...rest.slice(1)]);
  }
  return readPlain(name, rest);
}

const places =
  /^((\/usr)?(\/local)?\/bin\/|(\.\/)?node_modules\/\.bin\/|(\.\/)?\.?venv\/(bin|Scripts)\/)(?=[^/]+$)/;
const spellings: Readonly<Record<string, string>> = {
  'py.test': 'pytest',
  py: 'python',
  nodejs: 'node',
  gmake: 'make',
  egrep: 'grep -E',
  fgrep: 'grep -F',
  './mvnw': 'mvn',
  './gradlew': 'gradle',
  mvnw: 'mvn',
  gradlew: 'gradle',
};

function programName(word: string): string {
  const bare = word
    .replace(places, '')
    .replace(/\.(cmd|exe|bat|ps1)$/i, '')
    .replace(/^(\.\/)+/, './')
    .replace(/^(?=[^./~$][^/]*\/)/, './');
  if (/^python\d(\.\d+)?$/.test(bare)) return 'python';
  return Object.hasOwn(spellings, bare) ? (spellings[bare] ?? bare) : bare;
}

/** `poetry run x` and its like run x in the project's environment. */
function innerOfRunner(name: string, args: readonly string[]): readonly string[] | null {
  const [verb, ...rest] = args;
  const isRunner = /^(poetry|pipenv|pdm|rye|uv|hatch)$/.test(name) && verb === 'run';
  if (!isRunner && !(name === 'bundle' && verb === 'exec')) return null;
  const harmless = /^(--frozen|--locked|--no-sync|--offline|-q|--quiet|--)$/;
  const start = rest.findIndex((word) => !harmless.test(word));
  const inner = start < 0 ? [] : rest.slice(start);
  return inner.length === 0 || inner[0]?.startsWith('-') ? null : inner;
}

/** Tools of which `python -m tool` and `tool` are the same. */
const modules = /^(pytest|mypy|ruff|black|flake8|pylint|isort|tox|nox|coverage|pyright|bandit)$/;

function readPython(args: readonly string[]): ProgramCall {
  const start = args.findIndex((word) => !/^-[uBb]$/.test(word));
  const rest = start < 0 ? [] : args.slice(start);
  const [flag, module, ...more] = rest;
  if (flag !== '-m' || module === undefined) return { program: 'python', args: rest };
  if (modules.test(module)) return readPlain(module, more);
  return { program: `python -m ${module}`, args: more };
}

function readNode(args: readonly string[]): ProgramCall {
  const [first = '', ...rest] = args;
  const tool = /^(?:\.\/)?node_modules\/\.bin\/([^/]+)$/.exec(first)?.[1];
  if (tool !== undefined) return readPlain(tool, rest);
  const at = args.findIndex(
    (word, index) => word === '--test' || !(word.startsWith('-') || isLoaded(args, index)),
  );
  if (args[at] !== '--test') return { program: 'node', args };
  return { program: 'node --test', args: args.toSpliced(at, 1) };
}

function isLoaded(args: readonly string[], index: number): boolean {
  return /^(-r|--require|--import|--loader|--experimental-loader)$/.test(args[index - 1] ?? '');
}

const withVerb =
  /^(go|cargo|git|docker|deno|dotnet|mix|swift|rails|ruff|biome|playwright|turbo|nx|terraform)$/;
const verbs: Readonly<Record<string, string>> = {
  'cargo t': 'cargo test',
  'cargo b': 'cargo build',
  'cargo c': 'cargo check',
};
/** Flags by which a program enters a folder before it does anything. */
const entering: Readonly<Record<string, readonly string[]>> = {
  make: ['-C', '--directory'],
  git: ['-C'],
  go: ['-C'],
};

function readPlain(name: string, given: readonly string[]): ProgramCall {
  const { into, args } = takeFolder(given, ownValue(entering, name) ?? []);
  const moved = into === undefined ? {} : { into };
  if (name === 'vitest') return { program: name, args: withoutRun(args), ...moved };
  const [verb, ...rest] = args;
  if (!withVerb.test(name) || verb === undefined || verb.startsWith('-')) {
    return { program: name, args, ...moved };
  }
  const program = `${name} ${verb}`;
  return { program: ownValue(verbs, program) ?? program, args: rest, ...moved };
}

/** Without a terminal Vitest runs once, whether it is told so or not. */
function withoutRun(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => word !== '--run' && !(index === 0 && word === 'run'));
}

export function takeFolder(
  args: readonly string[],
  flags: readonly string[],
): { readonly into?: string; readonly args: readonly string[] } {
  const until = args.indexOf('--');
  const own = until < 0 ? args : args.slice(0, until);
  const at = own.findIndex((word) => flags.some((flag) => word === flag || isJoined(word, flag)));
  const flag = args[at];
  if (flag === undefined) return { args };
  const equals = flag.indexOf('=');
  const into = equals < 0 ? args[at + 1] : flag.slice(equals + 1);
  if (into === undefined) return { args };
  return { into, args: args.toSpliced(at, equals < 0 ? 2 : 1) };
}

function isJoined(word: string, flag: string): boolean {
  return flag.startsWith('--') && word.startsWith(`${flag}=`);
}
