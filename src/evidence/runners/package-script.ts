/** A call of a script through a package manager or script runner. */
export interface ScriptCall {
  /** May hold `*`, as `run-s` takes it. */
  readonly script: string;
  /** Relative to where the command runs. */
  readonly folder: string;
  /** Runs it in other packages of the workspace as well. */
  readonly isEverywhere: boolean;
  /** `yarn lint` is a script if there is one, else a program. */
  readonly isMaybeProgram: boolean;
}

export type ManagerCall =
  | { readonly kind: 'scripts'; readonly calls: readonly ScriptCall[] }
  /** `npx jest`: the rest is a command of its own. */
  | { readonly kind: 'program'; readonly words: readonly string[]; readonly folder: string };

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];
const EXECUTORS = ['npx', 'pnpx', 'bunx'];
const RUN_MANY = ['npm-run-all', 'run-s', 'run-p', 'wsrun'];
const MONOREPO = ['turbo', 'nx', 'lerna', 'wireit'];

/** Options that take the next word as their value. */
const WITH_VALUE =
  /^(--prefix|-C|--dir|--cwd|-w|--workspace|-F|--filter|--loglevel|-p|--package|--call)$/;
const FOLDER_OPTION = /^(--prefix|-C|--dir|--cwd)(?:=(.*))?$/;
const EVERYWHERE =
  /^(-w|--workspace(=.*)?|-ws|--workspaces|-r|--recursive|-F|--filter(=.*)?|--scope(=.*)?)$/;

/**
 * The call in a package manager's command line; null when it isn't one or runs nothing of a
 * project.
 */
export function managerCall(words: readonly string[]): ManagerCall | null {
  const [program = '', ...rest] = words;
  if (EXECUTORS.includes(program)) return programOf(rest);
  if (RUN_MANY.includes(program)) return manyScripts(rest);
  if (MONOREPO.includes(program)) return monorepoScripts(rest);
  if (!MANAGERS.includes(program)) return null;
  const { folder, isEverywhere, plain } = splitOptions(rest);
  const [verb, ...more] = plain;
  if (verb === undefined) return null;
  if (verb === 'exec' || verb === 'dlx' || verb === 'x') {
    return { kind: 'program', words: afterSeparator(rest, verb), folder };
  }
  const script = scriptOf(program, verb, more);
  if (script === null) return null;
  const isMaybeProgram = program !== 'npm' && script === verb;
  return { kind: 'scripts', calls: [{ script, folder, isEverywhere, isMaybeProgram }] };
}

function scriptOf(program: string, verb: string, more: readonly string[]): string | null {
  if (/^(run|run-script|rum|urn)$/.test(verb)) return more[0] ?? null;
  if (/^(t|tst|test)$/.test(verb)) return 'test';
  if (verb === 'start' || verb === 'stop' || verb === 'restart') return verb;
  if (program === 'npm') return null;
  if (verb === 'workspace') return scriptOf(program, more[1] ?? '', more.slice(2));
  if (verb === 'workspaces') return more.at(-1) ?? null;
  return /^(add|install|i|ci|remove|why|config|info|list|dlx|create|init)$/.test(verb)
    ? null
    : verb;
}

function splitOptions(words: readonly string[]) {
  let folder = '.';
  let isEverywhere = false;
  const plain: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) {
      plain.push(word);
      continue;
    }
    isEverywhere ||= EVERYWHERE.test(word);
    const option = FOLDER_OPTION.exec(word);
    if (option !== null) folder = option[2] ?? words[index + 1] ?? '.';
    if (WITH_VALUE.test(word)) index += 1;
  }
  isEverywhere ||= plain[0] === 'workspace' || plain[0] === 'workspaces';
  return { folder, isEverywhere, plain };
}

function afterSeparator(words: readonly string[], verb: string): string[] {
  const rest = words.slice(words.indexOf(verb) + 1);
  return rest[0] === '--' ? rest.slice(1) : rest;
}

function programOf(words: readonly string[]): ManagerCall {
  let index = 0;
  while (words[index]?.startsWith('-')) index += WITH_VALUE.test(words[index] ?? '') ? 2 : 1;
  return { kind: 'program', words: words.slice(index), folder: '.' };
}

const here = (script: string, isEverywhere: boolean): ScriptCall => ({
  script,
  folder: '.',
  isEverywhere,
  isMaybeProgram: false,
});

function manyScripts(words: readonly string[]): ManagerCall {
  const names = words.filter((word) => !word.startsWith('-'));
  return { kind: 'scripts', calls: names.map((name) => here(name, false)) };
}

function monorepoScripts(words: readonly string[]): ManagerCall {
  const names = words.filter((word) => !word.startsWith('-') && !/^(run|run-many)$/.test(word));
  return { kind: 'scripts', calls: names.map((name) => here(name, true)) };
}

/** Scripts by name; none where the file can't be read as JSON. */
export function packageScripts(text: string): Record<string, string> {
  const scripts = parsePackage(text)?.scripts;
  if (typeof scripts !== 'object' || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [name, String(script)]),
  );
}

function parsePackage(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return null;
  }
}
