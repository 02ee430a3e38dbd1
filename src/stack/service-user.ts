import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hostProgram } from '../sandbox/program-path.ts';

/** PostgreSQL refuses to run as root; root starts it as this user instead. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The folder in which root keeps what the service user must reach, when the home is closed to it.
 */
export const SYSTEM_FOLDER = '/var/lib/goalkeeper';

/** @returns undefined when this process isn't root and can run PostgreSQL itself. */
export function serviceUser(): ServiceUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return findUser('postgres') ?? createUser('postgres');
}

/** Whether `user` may enter every folder on the way to `path`. */
export function canReach(user: ServiceUser | undefined, path: string): boolean {
  if (!user) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && !mayEnter(user, folder)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Lets the service user pass through a folder of ours without letting it list the folder. */
export function allowPassage(user: ServiceUser | undefined, folder: string): void {
  if (user) chmodSync(folder, statSync(folder).mode | 0o011);
}

function mayEnter(user: ServiceUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function findUser(name: string): ServiceUser | undefined {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) };
  } catch {
    return undefined;
  }
}

function createUser(name: string): ServiceUser {
  try {
    run('useradd', ['--system', '--user-group', '--no-create-home', name]);
  } catch {
    // BusyBox (Alpine) has other names for it.
    run('adduser', ['-S', '-D', '-H', name]);
  }
  return { uid: idOf('-u', name), gid: idOf('-g', name) };
}

function idOf(flag: '-u' | '-g', name: string): number {
  return Number(run('id', [flag, name]));
}

function run(file: string, args: string[]): string {
  return execFileSync(hostProgram(file), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
