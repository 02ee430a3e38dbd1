import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { firstMisfit, tellMisfit } from '../../../schema/misfits.ts';
import { writePrivateFile } from '../../process/private-file.ts';
import { syncFolder } from '../../process/sync-folder.ts';
import { lockHome } from '../home-lock.ts';
import { readMigrations } from '../migrations.ts';
import { postgresMajor } from '../postgres-binaries.ts';
import { dataFolderOf, folderApart, RESTORING } from '../postgres-cluster.ts';
import { readRunState } from '../run-file.ts';
import { type ServiceUser, serviceUser } from '../service-user.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type Backup,
  BackupError,
  backupSchema,
  DATA,
  digestOf,
  HEAD,
  HOME,
  isAsWritten,
  LIST,
} from './backup-format.ts';
import {
  altered,
  type CopiedEntry,
  checker,
  FOLDER,
  type List,
  type Rights,
  readList,
} from './backup-list.ts';
import { leadsInto } from './byte-paths.ts';
import { copyTree } from './copy-tree.ts';
import { assertSpace, sizeOf, together } from './disk-space.ts';
import { emptyFolder, removeTree } from './remove-tree.ts';

export interface RestoreOptions {
  /** What `makeBackup` made. */
  readonly folder: string;
  /** A home that holds nothing. */
  readonly home: string;
  readonly onProgress: (message: string) => void;
  /** Ends it as if it had broken off. */
  readonly signal: AbortSignal;
}

/**
 * Puts a backup in an empty home. Each file is compared with what was written. Nothing serves the
 * home before all of it is there; what broke off is begun again by the same call.
 * @throws BackupError, AlreadyRunning
 */
export async function restoreBackup(options: RestoreOptions): Promise<Backup> {
  const { onProgress, signal } = options;
  const [folder, home] = [resolve(options.folder), resolve(options.home)];
  const { backup, list } = await readBackup(folder);
  assertReadable(backup);
  await assertApart(folder, home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const unlock = lockHome(home, () => readRunState(home)?.apiUrl ?? null);
  try {
    await clear(home);
    const copies = [HOME, DATA].map((part) => sizeOf(join(folder, part)));
    await assertSpace(home, together(...(await Promise.all(copies))));
    writePrivateFile(join(home, RESTORING), `${folder}\n`);
    const check = checker(list, backup);
    onProgress('copying the home');
    const all = () => true;
    const kept = { from: join(folder, HOME), to: home, isKept: all, check: check(HOME) };
    await walk(copyTree({ ...kept, rightsOf: closedToOthers, signal }));
    if (backup.postgres !== null) {
      onProgress('copying the database');
      await putDatabase({ from: join(folder, DATA), check: check(DATA), signal }, home);
    }
    check.assertWhole();
    await rm(join(home, RESTORING));
    await syncFolder(home);
    return backup;
  } finally {
    unlock();
  }
}

/**
 * The home's own files are keys and passwords, also where a copy of the backup lost their modes and an
 * older list has none. Others may pass through the home at most.
 */
function closedToOthers({ path, digest }: Pick<CopiedEntry, 'path' | 'digest'>, rights: Rights) {
  if (path === '') return { ...rights, mode: rights.mode & 0o711 };
  const isOwn = digest !== FOLDER && !path.includes('/');
  return isOwn ? { ...rights, mode: rights.mode & 0o700 } : rights;
}

async function walk(files: AsyncIterable<CopiedEntry>): Promise<void> {
  for await (const _ of files);
}

/** In its own place under another name until it is whole, and its PostgreSQL's own. */
async function putDatabase(
  source: Pick<Parameters<typeof copyTree>[0], 'from' | 'check' | 'signal'>,
  home: string,
): Promise<void> {
  const user = serviceUser();
  const data = dataFolderOf(home, user);
  const unfinished = `${data}.restored`;
  await removeTree(data);
  await removeTree(unfinished);
  mkdirSync(dirname(data), { recursive: true });
  const rightsOf = (_: unknown, rights: Rights) => ({ ...rights, ...user });
  await walk(copyTree({ ...source, to: unfinished, isKept: () => true, rightsOf }));
  if (user) giveFolder(user, unfinished);
  await rename(unfinished, data);
  await syncFolder(dirname(data));
}

const giveFolder = (user: ServiceUser, folder: string): void =>
  chownSync(folder, user.uid, user.gid);

async function readBackup(folder: string): Promise<{ backup: Backup; list: List }> {
  const wayOut = 'Name a folder that "goalkeeper backup" made.';
  const text = await readFile(join(folder, HEAD), 'utf8').catch(() => null);
  if (text === null) throw new BackupError('no_backup', `${folder} is no backup`, wayOut);
  let value: { format?: unknown; version?: unknown; by?: unknown } | null = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Told below.
  }
  if (value?.format !== BACKUP_FORMAT) {
    throw new BackupError('no_backup', `${folder} is no backup`, wayOut);
  }
  if (typeof value.version === 'number' && value.version > BACKUP_VERSION) {
    throw tooNew(`is written in format ${value.version}`, String(value.by));
  }
  const parsed = backupSchema.safeParse(value);
  if (!parsed.success) throw altered(`${HEAD}: ${tellMisfit(firstMisfit(parsed.error))}`);
  if (!isAsWritten(text, parsed.data)) throw altered(`${HEAD} is not what was written`);
  const written = await readFile(join(folder, LIST)).catch(() => Buffer.alloc(0));
  if (digestOf(written) !== parsed.data.sha256) throw altered(`${LIST} is not what was written`);
  return { backup: parsed.data, list: readList(written, parsed.data.version) };
}

const tooNew = (what: string, by: string) =>
  new BackupError(
    'too_new',
    `The backup ${what}, by Goalkeeper ${by}`,
    'Restore it with that version of Goalkeeper, or a newer one.',
  );

function assertReadable({ postgres, by }: Backup): void {
  if (postgres === null) return;
  const { schema, major } = postgres;
  if (!readMigrations().some(({ name }) => name === schema)) {
    throw tooNew(`has the schema ${schema}, which is newer than this version's`, by);
  }
  const own = postgresMajor();
  if (own === major) return;
  throw new BackupError(
    'other_postgres',
    `The backup is of PostgreSQL ${major}, and this version brings ${own}`,
    `Restore it with Goalkeeper ${by}.`,
  );
}

/** Neither is a part of the other, wherever their paths lead. */
async function assertApart(folder: string, home: string): Promise<void> {
  if (await leadsInto(folder, home)) {
    throw new BackupError('place', `${home} lies in the backup`, 'Name another GOALKEEPER_HOME.');
  }
  if (await leadsInto(home, folder)) {
    throw new BackupError('place', `The backup lies in ${home}`, 'Move it elsewhere before.');
  }
}

const isOfLock = (name: string): boolean => name.startsWith('up.lock');

/**
 * Nothing is there but what a restore left that broke off, which goes: it may be of another backup.
 * Anything else is somebody's, also a database that lies apart from its home.
 */
async function clear(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => !isOfLock(name));
  if (names.includes(RESTORING)) {
    return await emptyFolder(home, (name) => isOfLock(name) || name === RESTORING);
  }
  if (names.length > 0) {
    throw new BackupError(
      'place',
      `${home} holds something already: ${names.slice(0, 3).join(', ')}`,
      'Move it away, or name another folder by GOALKEEPER_HOME.',
    );
  }
  const data = folderApart(home);
  if (!existsSync(data)) return;
  throw new BackupError(
    'place',
    `The database of ${home} is still there, in ${data}`,
    'Mount the disk of that home, or move the database away.',
  );
}
