import type { ExecFileException } from 'node:child_process';
import { runProgram } from '../../process/run-program.ts';
import { hostProgram } from '../../sandbox/program-path.ts';
import { type OwnRepository, repositoryAt } from './own-repository.ts';

/** The machine's git, never one that a workspace on PATH brings along. */
const GIT = hostProgram('git');
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The flags override the repository's configuration, which must not run any program. */
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
  /** Program and arguments that git is started by, where it writes: see `asOwner`. */
  readonly begins?: readonly string[];
  /** Settings above the repository's own, by variables: a name may hold any character there. */
  readonly settings?: readonly Setting[];
}

type Setting = readonly [name: string, value: string];

/** Returns standard output, or null if git fails, or if the folder names a repository of others. */
export async function runGit(call: GitCall, args: readonly string[]): Promise<string | null> {
  const answer = await askGit(call, args);
  return 'stdout' in answer ? answer.stdout : null;
}

/** Standard output, or why there is none, in git's own words. */
export async function askGit(
  call: GitCall,
  args: readonly string[],
): Promise<{ readonly stdout: string } | { readonly why: string }> {
  const found = call.begins === undefined ? await repositoryAt(call.folder) : null;
  if (found?.kind === 'foreign') return { why: `${found.top} names a repository of others` };
  try {
    const [file = GIT, ...rest] = [...(call.begins ?? []), GIT, ...FLAGS, ...args];
    const { stdout } = await runProgram(file, rest, {
      cwd: call.folder,
      maxBuffer: MAX_BYTES,
      timeout: TIMEOUT_MS,
      env: {
        ...ENVIRONMENT,
        ...(found?.kind === 'own' ? placesOf(found) : {}),
        ...variablesOf(call.settings ?? []),
        ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
      },
    });
    return { stdout };
  } catch (error) {
    return { why: whyOf(error as ExecFileException) };
  }
}

const LONGEST_WHY = 300;

function whyOf({ stderr = '', killed, message }: ExecFileException): string {
  if (killed === true) return 'it gave no answer in time';
  const said = stderr.replaceAll(/^(?:fatal|error): /gm, '').trim() || message;
  return said.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, LONGEST_WHY);
}

/** The place that was looked at, whatever the repository says of its tree. */
const placesOf = ({ folder, top }: OwnRepository): Record<string, string> =>
  top === null ? {} : { GIT_DIR: folder, GIT_WORK_TREE: top };

const variablesOf = (settings: readonly Setting[]): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
});

/** Git didn't answer or failed unexpectedly, so the repository's state is unknown. */
export class GitSilent extends Error {
  constructor(args: readonly string[]) {
    super(`git ${args[0] ?? ''} gave no answer`);
    this.name = 'GitSilent';
  }
}

/** Replaces a missing answer of git and rethrows all other errors. */
export function ifSilent<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof GitSilent) return instead;
    throw error;
  };
}

/**
 * Disables the repository's filters, which would run programs on every file that git compares.
 * @throws GitSilent
 */
export async function withoutFilters(folder: string): Promise<Setting[]> {
  const args = ['config', '--includes', '--null', '--name-only', '--list'];
  const names = await runGit({ folder }, args);
  if (names === null) throw new GitSilent(args);
  const filters = new Set(names.split('\0').flatMap((name) => driverOf(name) ?? []));
  return [...filters].flatMap((filter): Setting[] => [
    [`filter.${filter}.clean`, ''],
    [`filter.${filter}.smudge`, ''],
    [`filter.${filter}.process`, ''],
    [`filter.${filter}.required`, 'false'],
  ]);
}

const driverOf = (name: string): string | undefined => /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1];
