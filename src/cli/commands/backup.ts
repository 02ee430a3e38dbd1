import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { homeOf } from '../../app/config/home.ts';
import { loadConfig } from '../../app/config.ts';
import { BackupError, type LeftOut } from '../../stack/backup/backup-format.ts';
import { makeBackup } from '../../stack/backup/make-backup.ts';
import { restoreBackup } from '../../stack/backup/restore-backup.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommonOptions } from '../session.ts';
import { printable, processTerminal } from '../terminal.ts';
import { interruptible } from '../until-ended.ts';

export interface BackupCommandOptions extends CommonOptions {
  readonly files?: boolean;
}

/** Copies this home with its database; whoever has the copy has its keys. */
export async function backup(folder: string, options: BackupCommandOptions): Promise<ExitCode> {
  await assertHome(homeOf(process.env));
  const { home, databaseUrl, ledgerKeys } = loadConfig();
  const terminal = processTerminal();
  const isOwn = databaseUrl === null;
  if (!isOwn && options.files !== true) {
    throw new BackupError(
      'external',
      'DATABASE_URL names a PostgreSQL of your own, whose tools back it up',
      'Take pg_basebackup with an archive of its log (docs/operations.md), and --files for the home.',
    );
  }
  const onProgress = (message: string) => terminal.err(message);
  const place = resolve(folder);
  return await interruptible(async (signal) => {
    const made = await makeBackup({ home, folder: place, hasDatabase: isOwn, onProgress, signal });
    if (options.json === true) {
      terminal.out(JSON.stringify({ folder: place, ...made }));
      return EXIT.complete;
    }
    const megabytes = Math.ceil((made.stored ?? made.bytes) / 1024 / 1024);
    terminal.out(`${place}: ${made.files} files, ${megabytes} MB`);
    for (const { path, why } of made.leftOut.slice(0, TOLD))
      terminal.err(printable(`left out, as ${WHY[why]}: ${path}`));
    const more = made.leftOut.length - TOLD;
    if (more > 0) terminal.err(`and ${more} more, which backup.json names`);
    if (ledgerKeys.length > 0)
      terminal.err('keys that variables hold, such as GOALKEEPER_LEDGER_KEY, are not in it');
    return EXIT.complete;
  });
}

/** Goals make any number of them. */
const TOLD = 50;

const WHY: Readonly<Record<LeftOut['why'], string>> = {
  unreadable: 'it may not be read',
  too_long: 'it lies too deep for the place',
  holes: 'it has too many holes',
  no_file: 'it is a pipe, a socket or a device',
};

/** Reading the settings would make a home that nobody has, and its backup would hold nothing. */
async function assertHome(home: string): Promise<void> {
  const names = await readdir(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) return;
  const why = `${home} is no home of a service: nothing is there`;
  throw new BackupError('nothing_here', why, 'Name it by GOALKEEPER_HOME.');
}

/** Puts a backup in this home, which is empty. */
export async function restore(folder: string, options: CommonOptions): Promise<ExitCode> {
  // Reading the settings would make files in the home.
  const home = homeOf(process.env);
  const terminal = processTerminal();
  const onProgress = (message: string) => terminal.err(message);
  return await interruptible(async (signal) => {
    const made = await restoreBackup({ folder, home, onProgress, signal });
    if (options.json === true) {
      terminal.out(JSON.stringify({ ...made, home }));
      return EXIT.complete;
    }
    terminal.out(`${home} is as it was on ${made.at}; "goalkeeper up" serves it`);
    if (made.home !== home)
      terminal.err(`it was ${made.home}: worktrees of goals are looked for there`);
    return EXIT.complete;
  });
}
