import { loadConfig } from '../../app/config.ts';
import { type Config, ConfigError } from '../../contract/config.ts';
import { applySchema, tellCutLedgers } from '../../stack/apply-schema.ts';
import type { DatabaseUsers } from '../../stack/database-roles.ts';
import { MigrationError } from '../../stack/migration-error.ts';
import { assertMigrated, missingIn } from '../../stack/migrations.ts';
import { untilDatabaseAnswers } from '../../stack/wait-for-servers.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommonOptions } from '../session.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export interface MigrateOptions extends CommonOptions {
  readonly check?: boolean;
}

/** Applies the schema to the database of DATABASE_URL, or says what it lacks. */
export async function migrate(options: MigrateOptions): Promise<ExitCode> {
  const config = loadConfig();
  const terminal = processTerminal();
  const users = usersOf(config);
  if (options.check === true) return tell(await lookAt(users), terminal, options);
  const onProgress = (message: string) => terminal.err(message);
  const applied = await appliedTo(users, config, onProgress).catch(foundOf);
  if (!Array.isArray(applied)) return tell(applied, terminal, options);
  await tellCutLedgers(users, onProgress);
  const said = applied.length === 0 ? 'nothing was missing' : `applied ${applied.length}`;
  terminal.out(options.json === true ? JSON.stringify({ applied }) : `up to date: ${said}`);
  return EXIT.complete;
}

async function appliedTo(
  users: DatabaseUsers,
  { startSeconds: seconds }: Config,
  onProgress: (message: string) => void,
): Promise<string[]> {
  const onWait = (what: string) => onProgress(`waiting: ${what}`);
  await untilDatabaseAnswers(users.owner, { seconds, onWait });
  return await applySchema(users, onProgress);
}

/** Exit 0: up to date. 1: it lacks something, or is ahead, or stands half-way. */
function tell(found: Found, terminal: Terminal, { json }: CommonOptions): ExitCode {
  const isCurrent = found.state === 'current';
  if (json === true) terminal.out(JSON.stringify(found));
  else terminal.out(isCurrent ? 'up to date' : found.detail);
  return isCurrent ? EXIT.complete : EXIT.incomplete;
}

interface Found {
  readonly state: 'current' | 'pending' | 'newer' | 'unfinished';
  readonly missing: readonly string[];
  readonly detail: string;
}

async function lookAt({ owner, writer }: DatabaseUsers): Promise<Found> {
  try {
    const missing = await missingIn(owner);
    if (missing.length > 0) {
      const detail = `The database lacks ${missing.join(', ')}: run "goalkeeper migrate".`;
      return { state: 'pending', missing, detail };
    }
    await assertMigrated(writer);
    return { state: 'current', missing, detail: '' };
  } catch (error) {
    return foundOf(error);
  }
}

/** @throws what is no state of the schema */
function foundOf(error: unknown): Found {
  if (!(error instanceof MigrationError)) throw error;
  const { problem, message } = error;
  if (problem !== 'newer' && problem !== 'unfinished') throw error;
  return { state: problem, missing: [], detail: message };
}

function usersOf(config: Config): DatabaseUsers {
  const { databaseUrl: writer, ownerDatabaseUrl, readerDatabaseUrl: reader } = config;
  if (writer === null) {
    throw new ConfigError(
      'DATABASE_URL',
      'is not set',
      'Name the database to migrate; "goalkeeper up" migrates its own by itself.',
    );
  }
  return { owner: ownerDatabaseUrl ?? writer, writer, reader };
}
