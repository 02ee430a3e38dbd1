import { lstat, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type postgres from 'postgres';
import { readFileIfAny } from '../../process/private-file.ts';
import { syncFolder } from '../../process/sync-folder.ts';
import { productVersion } from '../../version.ts';
import { AlreadyRunning, lockFile, lockHome } from '../home-lock.ts';
import { withConnection } from '../one-connection.ts';
import { startPostgres } from '../postgres.ts';
import { dataFolderOf, ensurePassword, SUPERUSER } from '../postgres-cluster.ts';
import { serviceUser } from '../service-user.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type Backup,
  BackupError,
  DATA,
  digestOf,
  HEAD,
  HOME,
  type LeftOut,
  LIST,
  writtenHead,
} from './backup-format.ts';
import { type CopiedEntry, within, writtenList } from './backup-list.ts';
import { leadsInto, shown } from './byte-paths.ts';
import { copyTree } from './copy-tree.ts';
import { assertSpace, sizeOf, together } from './disk-space.ts';
import { isKeptOfData, isKeptOfHome, isOfGoals } from './home-parts.ts';
import { removeTree } from './remove-tree.ts';

export interface BackupOptions {
  readonly home: string;
  /** The folder to make. */
  readonly folder: string;
  /** The database is in the home; false = it is somebody's own, and the home alone is copied. */
  readonly hasDatabase: boolean;
  readonly onProgress: (message: string) => void;
  /** Ends it in order: no part of it stays, and no server that was started for it. */
  readonly signal: AbortSignal;
}

/**
 * Copies a home while it is served, or not: the database as PostgreSQL's own base backups do, then
 * the files, so that none is missing that the database knows. It bears its name once it is whole.
 * @throws BackupError, StackError
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const folder = resolve(options.folder);
  await assertPlace(options.home, folder);
  const data = options.hasDatabase ? dataOf(options.home) : null;
  if (data !== null) await assertPlace(data, folder);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const partial = `${folder}.partial`;
  const unlock = lockFile(`${partial}.lock`, ({ pid }) => {
    const why = `Another backup is made at ${folder} (pid ${pid})`;
    throw new BackupError('running', why, 'Wait for it, or name another folder.');
  });
  try {
    await assertNew(folder);
    await removeTree(partial);
    return await makeAt(partial, { ...options, folder, data });
  } catch (error) {
    await removeTree(partial);
    throw error;
  } finally {
    unlock();
  }
}

async function makeAt(
  partial: string,
  options: BackupOptions & { readonly data: string | null },
): Promise<Backup> {
  const { home, folder, data, onProgress, signal } = options;
  const ofData = data === null ? [] : [await sizeOf(data)];
  await assertSpace(dirname(folder), together(...ofData, await sizeOf(home, isKeptOfHome)));
  await mkdir(partial, { mode: 0o700 });
  const entries: CopiedEntry[] = [];
  const postgres =
    data === null
      ? null
      : await serving(options, (url) => {
          onProgress('copying the database');
          return copyDatabase(url, { from: data, to: join(partial, DATA), signal }, entries);
        });
  onProgress('copying the home');
  const leftOut: LeftOut[] = [];
  const isLeftOut = (path: string, why: LeftOut['why']) =>
    (isOfGoals(path) || why === 'no_file') && leftOut.push({ path: shown(path), why }) > 0;
  const kept = { from: home, to: join(partial, HOME), isKept: isKeptOfHome, isLeftOut, signal };
  for await (const entry of copyTree(kept)) entries.push(within(HOME, entry));
  const backup = await writeHead(partial, { home, postgres, leftOut }, entries);
  await rename(partial, folder);
  await syncFolder(dirname(folder));
  return backup;
}

/** No part of what is copied, wherever its path leads. */
async function assertPlace(copied: string, folder: string): Promise<void> {
  if (await leadsInto(copied, folder)) {
    const why = `${folder} lies in ${copied}, which is copied`;
    throw new BackupError('place', why, 'Name a folder elsewhere, best on another disk.');
  }
  await assertNew(folder);
}

async function assertNew(folder: string): Promise<void> {
  const there = await lstat(folder).catch(() => null);
  if (there === null) return;
  throw new BackupError(
    'place',
    `${folder} is there already`,
    'Name a folder that is not there yet: each backup has its own.',
  );
}

function dataOf(home: string): string {
  const folder = dataFolderOf(home, serviceUser());
  if (readFileIfAny(join(folder, 'PG_VERSION')) !== null) return folder;
  throw new BackupError(
    'nothing_here',
    `There is no database in ${home}`,
    'Name the home of a service by GOALKEEPER_HOME.',
  );
}

/** The database of a home that is served, or one that is started for as long as this takes. */
async function serving<Result>(
  { home, onProgress }: BackupOptions,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  let unlock: () => void;
  try {
    unlock = lockHome(home, () => null);
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    return await work(urlOf(home));
  }
  try {
    const server = await startPostgres({ home, port: 0, onProgress });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    unlock();
  }
}

/** The server's port is the fourth line of what it writes down. */
const PORT_LINE = 3;

function urlOf(home: string): string {
  const folder = dataFolderOf(home, serviceUser());
  const lines = (readFileIfAny(join(folder, 'postmaster.pid')) ?? '').split('\n');
  const port = Number(lines[PORT_LINE]);
  if (Number.isInteger(port) && port > 0) {
    const password = ensurePassword(home);
    return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/goalkeeper`;
  }
  throw new BackupError(
    'running',
    `The service of ${home} is starting or stopping`,
    'Try again when "goalkeeper status" says that it runs, or does not.',
  );
}

/**
 * PostgreSQL's "low-level" base backup, as its npm package has no program for it: the data folder is
 * copied while it changes, with all of the log that was written meanwhile, which a slot holds. The
 * session has to stay open from the beginning to the end.
 */
const copyDatabase = (
  url: string,
  { from, to, signal }: { from: string; to: string; signal: AbortSignal },
  entries: CopiedEntry[],
): Promise<NonNullable<Backup['postgres']>> =>
  withConnection(url, async (sql) => {
    await sql`SELECT pg_create_physical_replication_slot(${SLOT}, true, true)`;
    const [begun] = await sql<[{ segment: string }]>`
      SELECT pg_walfile_name(pg_backup_start('goalkeeper backup', true)) AS segment`;
    // The control file last: it names a checkpoint, and nothing that was copied is older than it.
    const isKept = (path: string) => isKeptOfData(path) && path !== CONTROL;
    for await (const entry of copyTree({ from, to, isKept, signal }))
      entries.push(within(DATA, entry));
    const isControl = (path: string) => path === 'global' || path === CONTROL;
    const control = { from, to, isKept: isControl, signal };
    for await (const entry of copyTree(control)) entries.push(within(DATA, entry));
    const [ended] = await sql<[Ended]>`
      SELECT pg_walfile_name(lsn) AS segment, labelfile AS label, spcmapfile AS spaces
      FROM pg_backup_stop(false)`;
    if (ended.spaces.trim() !== '') {
      const why = 'The database has tablespaces, which lie outside of the home';
      throw new BackupError('place', why, 'Back it up by pg_basebackup.');
    }
    await writeFile(join(to, 'backup_label'), ended.label, { mode: 0o600 });
    const label = {
      ...{ path: 'backup_label', digest: digestOf(ended.label), mode: 0o600 },
      ...{ bytes: ended.label.length, stored: ended.label.length, uid: 0, gid: 0 },
    };
    entries.push(within(DATA, label));
    const isOfLog = (name: string) => isBetween(name, begun.segment, ended.segment);
    const names = (await readdir(join(from, 'pg_wal'))).filter(isOfLog);
    if (!names.includes(begun.segment) || !names.includes(ended.segment)) {
      const why = 'A part of the database’s log went while it was copied';
      throw new BackupError('altered', why, 'Make the backup again.');
    }
    const log = { from: join(from, 'pg_wal'), to: join(to, 'pg_wal'), isKept: isOfLog, signal };
    for await (const entry of copyTree(log)) entries.push(within(`${DATA}/pg_wal`, entry));
    const [is] = await sql<[{ major: number; schema: string }]>`
      SELECT (current_setting('server_version_num')::int / 10000) AS major,
        (SELECT max(migration_name) FROM _prisma_migrations WHERE finished_at IS NOT NULL) AS schema`;
    return { ...is };
  });

type Ended = Readonly<Record<'segment' | 'label' | 'spaces', string>> & postgres.Row;

/** Of this process, for as long as its session is open. */
const SLOT = `goalkeeper_backup_${process.pid}`;
const CONTROL = 'global/pg_control';

/** Names of segments sort as they follow each other; all are of one timeline here. */
const isBetween = (name: string, first: string, last: string): boolean =>
  /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;

async function writeHead(
  folder: string,
  what: Pick<Backup, 'home' | 'postgres' | 'leftOut'>,
  copied: readonly CopiedEntry[],
): Promise<Backup> {
  // A folder that was copied in parts is told more than once.
  const entries = [...new Map(copied.map((entry) => [entry.path, entry])).values()];
  const files = entries.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  const stored = entries.reduce((sum, entry) => sum + entry.stored, 0);
  const list = writtenList(entries);
  await writeSynced(join(folder, LIST), list);
  const backup: Backup = {
    ...{ format: BACKUP_FORMAT, version: BACKUP_VERSION, at: new Date().toISOString() },
    ...{ by: productVersion(), ...what, files: files.length },
    ...{ bytes: files.reduce((sum, bytes) => sum + bytes, 0), stored },
    sha256: digestOf(list),
  };
  await writeSynced(join(folder, HEAD), writtenHead(backup));
  await syncFolder(folder);
  return backup;
}

async function writeSynced(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
