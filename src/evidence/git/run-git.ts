import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The host's word, not the repository's: nothing of its configuration may run a program. */
const FLAGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.quotePath=false',
  'core.sshCommand=false',
  'core.ignoreCase=false',
  'core.sparseCheckout=false',
  'diff.external=',
  'protocol.allow=never',
  'safe.directory=*',
  'submodule.recurse=false',
].flatMap((flag) => ['-c', flag]);

const ENVIRONMENT = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};

export interface GitCall {
  readonly folder: string;
  /** An index of the host's own: flags in the repository's index hide nothing. */
  readonly index?: string;
  readonly flags?: readonly string[];
}

/** Standard output, or null where git says no. */
export async function runGit(call: GitCall, args: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await run('git', [...FLAGS, ...(call.flags ?? []), ...args], {
      cwd: call.folder,
      maxBuffer: MAX_BYTES,
      timeout: TIMEOUT_MS,
      env: {
        ...ENVIRONMENT,
        ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
      },
    });
    return stdout;
  } catch {
    return null;
  }
}

/** Filters of the repository run programs on every file that git compares: each gets none. */
export async function filterFlags(folder: string): Promise<string[]> {
  const names = await runGit({ folder }, [
    'config',
    '--includes',
    '--null',
    '--name-only',
    '--get-regexp',
    '^filter\\.',
  ]);
  const filters = new Set((names ?? '').split('\0').flatMap((name) => driverOf(name) ?? []));
  return [...filters].flatMap((filter) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((rest) => [
      '-c',
      `filter.${filter}.${rest}`,
    ]),
  );
}

const driverOf = (name: string): string | undefined => /^filter\.(.+)\.[^.]+$/.exec(name)?.[1];
