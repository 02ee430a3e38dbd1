import { execFileSync } from 'node:child_process';

export type Git = (...args: string[]) => string;

/** A person of its own, in folders of whomever: the machine's user may have no name, and other settings. */
const SETTINGS = [
  'user.name=t',
  'user.email=t@localhost',
  'init.defaultBranch=main',
  'safe.directory=*',
  // Each commit would look in a process of its own whether there is something to tidy up.
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);
const NO_OTHERS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Runs git in the folder, and gives what it printed. Throws where git fails. */
export function gitIn(folder: string): Git {
  return (...args) => run(folder, 'git', [...SETTINGS, ...args]);
}

/** Makes the folder a repository, on branch `main`, whose one commit holds all of it. */
export function startRepository(folder: string): Git {
  run(folder, 'sh', ['-c', START, 'sh', ...SETTINGS]);
  return gitIn(folder);
}

/** One process, since the start of each takes as long as the memory of its parent is large. */
const START = 'git "$@" init -q && git "$@" add -A && git "$@" commit -q -m start';

const run = (folder: string, program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...NO_OTHERS },
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
