import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess } from '../process/end-process.ts';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { identify } from '../process/process-identity.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

import { allowPassage, canReach, type ServiceUser, SYSTEM_FOLDER } from './service-user.ts';
import { StackError } from './stack-error.ts';

const run = promisify(execFile);

export const SUPERUSER = 'goalkeeper';

/** The folder of a home's cluster and the user that runs it. */
export interface Cluster {
  readonly home: string;
  readonly dataFolder: string;
  readonly binaries: PostgresBinaries;
  readonly user: ServiceUser | undefined;
}

/**
 * The cluster's folder: in the home, or below /var/lib when root's home is closed to the user that
 * PostgreSQL runs as. Written down once, because permissions may change later and data must not
 * seem lost then.
 */
export function dataFolderOf(home: string, user: ServiceUser | undefined): string {
  const record = join(home, 'postgres-folder');
  const inHome = join(home, 'postgres');
  const apart = folderApart(home);
  const known = readFileIfAny(record)?.trim();
  if (known === inHome || known === apart) return known;
  const wasMoved = existsSync(join(inHome, 'PG_VERSION'));
  if (known && !wasMoved) throw foreignFolder(record, known);
  allowPassage(user, home);
  const folder = wasMoved || canReach(user, home) ? inHome : apart;
  writePrivateFile(record, `${folder}\n`);
  return folder;
}

/** Where a cluster lies whose home is closed to the user that PostgreSQL runs as. */
export function folderApart(home: string): string {
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 12);
  return join(SYSTEM_FOLDER, hash, 'postgres');
}

function foreignFolder(record: string, known: string): StackError {
  return new StackError(
    `${record} names ${known}, where this home's database can't lie`,
    `If it does lie there, move it back to where it was; else remove that file to begin anew.`,
  );
}

/** A user's password, the superuser's by default; a missing or damaged file gets a new one. */
export function ensurePassword(home: string, file = 'postgres-password'): string {
  const path = join(home, file);
  const stored = readFileIfAny(path)?.trim() ?? '';
  if (/^[\w-]{43}$/.test(stored)) return stored;
  const password = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${password}\n`);
  return password;
}

/** In a home while a backup is put back: what is there is not whole. */
export const RESTORING = 'restoring';

/** Made beside and renamed, so that a kill in the middle leaves no half cluster. */
export async function ensureCluster(cluster: Cluster, password: string): Promise<void> {
  assertRestored(cluster);
  if (existsSync(join(cluster.dataFolder, 'PG_VERSION'))) return;
  assertNeverMade(cluster);
  const unfinished = `${cluster.dataFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makeOwnedFolder(cluster.user, unfinished);
  const passwordFile = join(unfinished, '..', 'postgres-initial-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  own(cluster.user, passwordFile);
  try {
    await run(cluster.binaries.initdb, initdbArguments(unfinished, passwordFile), as(cluster));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, cluster.dataFolder);
}

function assertRestored({ home }: Cluster): void {
  const backup = readFileIfAny(join(home, RESTORING))?.trim();
  if (backup === undefined) return;
  throw new StackError(
    `A backup was to be put back in ${home}, and that broke off`,
    `Run "goalkeeper restore ${backup}" again.`,
  );
}

/** A cluster that was there and is gone must not be replaced by an empty one without a word. */
function assertNeverMade({ home, dataFolder }: Cluster): void {
  const isLeft = existsSync(dataFolder) && readdirSync(dataFolder).length > 0;
  const hasServed = existsSync(join(home, 'temporal.db'));
  if (!isLeft && !hasServed) return;
  throw new StackError(
    `The database in ${dataFolder} is damaged or gone`,
    `Put a backup of it in its place. To begin anew, with no goals, move ${home} away.`,
  );
}

function initdbArguments(folder: string, passwordFile: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    // The same order and case rules on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
}

/** Sets the password without knowing the old one; the server must be down. */
export function resetPassword(cluster: Cluster, password: string): void {
  execFileSync(cluster.binaries.postgres, ['--single', '-D', cluster.dataFolder, 'postgres'], {
    ...as(cluster),
    input: `ALTER ROLE ${SUPERUSER} PASSWORD '${password}';\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/**
 * Ends what an earlier run left in the data folder: its postmaster, or backends that outlived a
 * killed one. A `postmaster.pid` whose process is something else by now is removed.
 * @returns whether there was such a file: the last stop was not clean.
 */
export async function endLeftovers(cluster: Cluster): Promise<boolean> {
  const pidFile = join(cluster.dataFolder, 'postmaster.pid');
  const recorded = Number.parseInt(readFileIfAny(pidFile)?.split('\n')[0] ?? '', 10);
  if (Number.isNaN(recorded)) return existsSync(pidFile);
  if (worksIn(cluster.dataFolder, recorded)) await end(recorded, ['SIGINT', 'SIGQUIT', 'SIGKILL']);
  for (const pid of processesIn(cluster.dataFolder)) await end(pid, ['SIGQUIT', 'SIGKILL']);
  rmSync(pidFile, { force: true });
  return true;
}

async function end(pid: number, signals: NodeJS.Signals[]): Promise<void> {
  const identity = identify(pid);
  if (identity) await endProcess(identity, signals, 10_000);
}

/** Every process of a cluster has its data folder as working directory. */
function worksIn(folder: string, pid: number): boolean {
  if (process.platform === 'linux') return workingFolder(pid) === folder;
  try {
    const line = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.includes('postgres') && line.includes(folder);
  } catch {
    return false;
  }
}

function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && workingFolder(pid) === folder);
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function makeOwnedFolder(user: ServiceUser | undefined, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  own(user, folder);
}

function own(user: ServiceUser | undefined, path: string): void {
  if (user) chownSync(path, user.uid, user.gid);
}

function as(cluster: Cluster): { cwd: string; uid?: number; gid?: number } {
  // The working directory of this process may be closed to the user.
  return { ...cluster.user, cwd: '/' };
}
