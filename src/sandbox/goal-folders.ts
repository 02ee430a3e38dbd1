import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tidyLeftBehind } from './git-guard.ts';
import type { Mount } from './mounts.ts';
import { programPath } from './program-path.ts';
import { removeTree } from './remove-tree.ts';
import { lookAt } from './safe-read.ts';
import { seedHome } from './seeds/seed-home.ts';

const run = promisify(execFile);
const KEPT_DAYS = 14;

/** Folders that a goal's commands see as the person's home and /tmp, kept between commands. */
export interface GoalFolders {
  /** The parent folder, which also holds the host's own files of the goal; no command sees it. */
  readonly folder: string;
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
  if ((await lstat(folder).catch(() => null)) === null) await make(serviceHome, folder, workspace);
  const now = new Date();
  await utimes(folder, now, now);
  const isOwn = await stat(join(folder, 'own-repository')).catch(() => null);
  return {
    folder,
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
    hasOwnRepository: isOwn !== null,
  };
}

/** Made atomically by a rename; if two are made at once, the first stays. */
async function make(serviceHome: string, folder: string, workspace: string): Promise<void> {
  const scratch = `${folder}.${randomUUID()}`;
  const { home } = await cleanFolders(scratch);
  await seedHome(serviceHome, workspace, home);
  const git = await lstat(join(workspace, '.git')).catch(() => null);
  if (git === null) await writeFile(join(scratch, 'own-repository'), '');
  await rename(scratch, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(scratch, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** A home without any settings but the person's name, and an empty temporary folder. */
export async function cleanFolders(
  folder: string,
): Promise<Pick<GoalFolders, 'home' | 'temporary'>> {
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  await mkdir(home, { recursive: true, mode: 0o700 });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const settings = join(home, '.gitconfig');
  if ((await lookAt(settings)) === null) await fillNew(settings, await gitIdentity());
  return { home, temporary };
}

/** Follows no link that a command may have put there meanwhile. */
async function fillNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Folders of fetched or built packages, which hold installed code and no settings. */
export const cachePlaces: readonly string[] = [
  ...['.cache', '.npm/_cacache', '.m2/repository', '.gradle/caches', '.gradle/wrapper'],
  ...['.cargo/registry', '.cargo/git', '.nuget/packages', 'go/pkg'],
];

/**
 * The only cache whose contents are verified against their names at every read. npm trusts the
 * rest of its cache (which content belongs to which address), and all other programs trust their
 * packages, archives and build results.
 */
const VERIFIED = ['.npm/_cacache/content-v2'];

/** Is this path of a home one where packages are kept? */
export const isCachePlace = (path: string): boolean => cachePlaces.includes(path);

/** The rest of a path of a home below a folder that holds caches and maybe settings; else null. */
export function besideCaches(path: string): string | null {
  const isBelow = (folder: string) => path.startsWith(`${folder}/`);
  if (cachePlaces.some(isBelow)) return '';
  const holder = cachePlaces.map((cache) => cache.split('/')[0] ?? '').find(isBelow);
  return holder === undefined ? null : path.slice(holder.length + 1);
}

/**
 * Caches for checks with a home of their own, which could not fetch packages without network.
 *
 * @param isClean commands of the goal, and code of it that ran in earlier checks, could have
 *   changed nothing that is there
 */
export async function sharedCaches(from: string, at: string, isClean: boolean): Promise<Mount[]> {
  const caches = isClean ? VERIFIED : cachePlaces;
  const kept = await Promise.all(caches.map((path) => isPlainFolder(from, path)));
  return caches
    .filter((_, index) => kept[index])
    .map((path) => ({
      kind: 'writable',
      at: join(at, path),
      from: join(from, path),
    }));
}

/** Commands can put a link anywhere in their home. */
async function isPlainFolder(root: string, path: string): Promise<boolean> {
  const names = path.split('/');
  const ways = names.map((_, index) => join(root, ...names.slice(0, index + 1)));
  const looks = await Promise.all(ways.map(lookAt));
  return looks.every((stats) => stats?.isDirectory() === true);
}

let identity: Promise<string> | undefined;

/** Commits of a goal are made in the person's name, as without a home of its own. Asked once. */
function gitIdentity(): Promise<string> {
  identity ??= readGitIdentity();
  return identity;
}

async function readGitIdentity(): Promise<string> {
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
  const user = lines.join('');
  return user === '' ? '' : `[user]\n${user}`;
}

/** Removes what goals left behind whose last command is long ago, and what dead workers left. */
export async function sweepGoalFolders(serviceHome: string): Promise<void> {
  const root = join(serviceHome, 'sandbox');
  for (const name of await readdir(root).catch(() => [])) {
    // The goal's next command meets the same problem and reports it.
    await tidyLeftBehind(join(root, name)).catch(() => {});
    const stats = await lstat(join(root, name)).catch(() => null);
    if (stats === null || Date.now() - stats.mtimeMs < KEPT_DAYS * 86_400_000) continue;
    await removeTree(join(root, name)).catch(() => {});
  }
}
