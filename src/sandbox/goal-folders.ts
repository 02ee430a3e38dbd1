import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from './program-path.ts';

const run = promisify(execFile);
const KEPT_DAYS = 14;

/** What a goal's commands find at the places of the person's home and of /tmp, from one to the next. */
export interface GoalFolders {
  readonly home: string;
  readonly temporary: string;
  /** The workspace was no repository when the goal's first command came: what is there is its own. */
  readonly hasOwnRepository: boolean;
}

/** Made before the goal's first command; commands reach what is inside and never the folders' own place. */
export async function goalFolders(
  serviceHome: string,
  goalId: string,
  workspace: string,
): Promise<GoalFolders> {
  const folder = join(serviceHome, 'sandbox', goalId);
  if ((await lstat(folder).catch(() => null)) === null) await make(folder, workspace);
  const now = new Date();
  await utimes(folder, now, now);
  const isOwn = await stat(join(folder, 'own-repository')).catch(() => null);
  return {
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
    hasOwnRepository: isOwn !== null,
  };
}

/** Renamed into place: a half-made one is never used, and of two at once the first stays. */
async function make(folder: string, workspace: string): Promise<void> {
  const scratch = `${folder}.${randomUUID()}`;
  await mkdir(join(scratch, 'home'), { recursive: true, mode: 0o700 });
  await mkdir(join(scratch, 'tmp'), { mode: 0o700 });
  await writeFile(join(scratch, 'home', '.gitconfig'), await gitIdentity());
  const git = await lstat(join(workspace, '.git')).catch(() => null);
  if (git === null) await writeFile(join(scratch, 'own-repository'), '');
  await rename(scratch, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(scratch, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** Commits of a goal are made in the person's name, as without a home of its own. */
async function gitIdentity(): Promise<string> {
  const git = programPath('git');
  if (git === null) return '';
  const lines = await Promise.all(
    ['name', 'email'].map(async (key) => {
      const asked = ['config', '--global', '--get', `user.${key}`];
      const { stdout } = await run(git, asked, { cwd: '/' }).catch(() => ({ stdout: '' }));
      const value = stdout.trim().replace(/["\\\n]/g, '');
      return value === '' ? '' : `\t${key} = "${value}"\n`;
    }),
  );
  const identity = lines.join('');
  return identity === '' ? '' : `[user]\n${identity}`;
}

/** Removes what goals left behind whose last command is long ago. */
export async function sweepGoalFolders(serviceHome: string): Promise<void> {
  const root = join(serviceHome, 'sandbox');
  for (const name of await readdir(root).catch(() => [])) {
    const stats = await lstat(join(root, name)).catch(() => null);
    if (stats === null || Date.now() - stats.mtimeMs < KEPT_DAYS * 86_400_000) continue;
    await rm(join(root, name), { recursive: true, force: true }).catch(() => {});
  }
}
