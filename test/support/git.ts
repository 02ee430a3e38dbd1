import { execFileSync } from 'node:child_process';

export type Git = (...args: string[]) => string;

/** A person of its own, in folders of whomever: the machine's user may have no name, and other settings. */
const SETTINGS = [
  'user.name=t',
  'user.email=t@localhost',
  'init.defaultBranch=main',
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);
const NO_OTHERS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Runs git in the folder, and gives what it printed. Throws where git fails. */
export function gitIn(folder: string): Git {
  return (...args) =>
    execFileSync('git', [...SETTINGS, ...args], {
      cwd: folder,
      env: { ...process.env, ...NO_OTHERS },
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
}

/** Makes the folder a repository, on branch `main`, whose one commit holds all of it. */
export function startRepository(folder: string): Git {
  const git = gitIn(folder);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  return git;
}
