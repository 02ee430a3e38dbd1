import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sql, TransactionSql } from 'postgres';
import { assertEmpty, assertFit, assertGranted, hasRecord } from './fitness.ts';
import { assertPostgresUrl, databaseFailure, MigrationError } from './migration-error.ts';
import { withConnection } from './one-connection.ts';
import { assertOwnSession } from './own-session.ts';
import { assertSameSchema } from './same-schema.ts';
import { SQUASHED } from './squashed-migrations.ts';

const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations/', import.meta.url));

/** Any number that nothing else in this database locks. */
const LOCK = 7420_0001;

export interface Migration {
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script, as Prisma stores it. */
  readonly checksum: string;
}

interface Applied {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

/**
 * Brings a database to this version's schema. Each script, its row in Prisma's own
 * `_prisma_migrations` and an advisory lock share one transaction, so a kill leaves either all of a
 * migration or nothing, and two processes may do this at once. `prisma migrate deploy` and
 * `prisma migrate status` read the same table. A database from before the migrations were squashed
 * into `0001_init` is taken over: its schema is the same.
 * @returns the names of the migrations that were applied now.
 * @throws MigrationError when the database can't be used: it is newer, edited, half-migrated,
 * somebody else's, not to be reached, not to be written…
 */
export async function migrate(databaseUrl: string, folder = MIGRATIONS): Promise<string[]> {
  const migrations = readMigrations(folder);
  assertPostgresUrl(databaseUrl);
  try {
    return await withConnection(databaseUrl, async (sql) => {
      await assertFit(sql);
      const names = await applyAll(sql, migrations);
      await assertGranted(sql);
      return names;
    });
  } catch (error) {
    throw databaseFailure(databaseUrl, error);
  }
}

/**
 * For a process that migrates nothing: is the database one of this version, and may its user write
 * to it?
 * @throws MigrationError
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  assertPostgresUrl(databaseUrl);
  try {
    await withConnection(databaseUrl, async (sql) => {
      await assertOwnSession(databaseUrl, sql);
      await assertFit(sql);
      await assertSchema(sql);
      await assertGranted(sql);
    });
  } catch (error) {
    throw databaseFailure(databaseUrl, error);
  }
}

/**
 * Is the schema that of this version?
 * @throws MigrationError
 */
export async function assertSchema(sql: Sql): Promise<void> {
  const missing = await missingMigrations(sql);
  if (missing.length === 0) return;
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  throw new MigrationError(
    `The database lacks ${missing[0]}${more}. Run "goalkeeper migrate" with it once.`,
    { problem: 'pending' },
  );
}

/**
 * The names of the migrations that a database still lacks.
 * @throws MigrationError when it is not one that this version can bring further
 */
export async function missingIn(databaseUrl: string): Promise<string[]> {
  assertPostgresUrl(databaseUrl);
  try {
    return await withConnection(databaseUrl, async (sql) => {
      await assertFit(sql);
      return await missingMigrations(sql);
    });
  } catch (error) {
    throw databaseFailure(databaseUrl, error);
  }
}

const missingMigrations = async (sql: Sql): Promise<string[]> =>
  (await pendingMigrations(sql, readMigrations())).map(({ name }) => name);

async function applyAll(sql: Sql, migrations: Migration[]): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    if ((await pendingMigrations(sql, migrations)).length === 0) return names;
    const applied = await sql.begin((tx) => applyNext(tx, migrations));
    if (applied !== null) names.push(applied);
  }
}

export function readMigrations(folder = MIGRATIONS): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const script = readFileSync(`${folder}/${name}/migration.sql`, 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    });
}

/** Looks again under the lock: another process may have been quicker. */
async function applyNext(tx: TransactionSql, migrations: Migration[]): Promise<string | null> {
  await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
  await tx.unsafe(CREATE_TABLE);
  const [next] = await pendingMigrations(tx, migrations);
  if (!next) return null;
  const applied = await appliedMigrations(tx);
  if (applied.length === 0) await assertEmpty(tx);
  if (isSquashed(applied)) await adopt(tx, next);
  else await run(tx, next);
  return next.name;
}

async function run(tx: TransactionSql, migration: Migration): Promise<void> {
  try {
    await tx.unsafe(migration.script);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `Migration ${migration.name} failed and was undone: ${reason}. ` +
        'Is this database used by something else? Give Goalkeeper one of its own.',
      { cause: error },
    );
  }
  await note(tx, migration, null);
}

/** The schema exists already, so only the migration history is written anew. */
async function adopt(tx: TransactionSql, migration: Migration): Promise<void> {
  await assertSameSchema(tx, migration.script);
  await tx`DELETE FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
  await note(tx, migration, `In place of ${[...SQUASHED.keys()].join(', ')}.`);
}

async function note(tx: TransactionSql, { name, checksum }: Migration, logs: string | null) {
  await tx`
    INSERT INTO _prisma_migrations
      (id, checksum, migration_name, logs, started_at, finished_at, applied_steps_count)
    VALUES (${randomUUID()}, ${checksum}, ${name}, ${logs}, now(), clock_timestamp(), 1)`;
}

async function pendingMigrations(sql: Sql | TransactionSql, migrations: Migration[]) {
  const applied = await appliedMigrations(sql);
  if (isSquashed(applied)) return migrations;
  if (applied.length > 0 && !(await hasRecord(sql))) throw foreign(applied);
  for (const row of applied) checkApplied(row, migrations);
  const names = new Set(applied.map((row) => row.migration_name));
  return migrations.filter((migration) => !names.has(migration.name));
}

/**
 * Has the database all of the migrations that `0001_init` replaces, as they were?
 * @throws MigrationError when it has only some of them
 */
function isSquashed(applied: readonly Applied[]): boolean {
  const old = applied.filter(
    ({ migration_name, checksum }) => SQUASHED.get(migration_name) === checksum,
  );
  if (old.length === 0) return false;
  const finished = old.filter(({ finished_at }) => finished_at !== null);
  const whole = new Set(finished.map((row) => row.migration_name)).size;
  if (whole === SQUASHED.size && applied.length === SQUASHED.size) return true;
  throw new MigrationError(
    `The database has ${whole} of the ${SQUASHED.size} migrations that 0001_init replaces` +
      `${applied.length > old.length ? ', and others' : ''}: it can't be taken over. Start the ` +
      'last version before 0001_init replaced them once with this database, then this one; or ' +
      'give this one another database.',
  );
}

function foreign([first]: readonly Applied[]): MigrationError {
  return new MigrationError(
    `The database has migration ${first?.migration_name} and no record of Goalkeeper's: it belongs ` +
      'to something else, or is damaged. Give Goalkeeper one of its own, or restore a backup.',
  );
}

function checkApplied(row: Applied, migrations: Migration[]): void {
  const migration = migrations.find((known) => known.name === row.migration_name);
  if (!migration) {
    throw new MigrationError(
      `The database has migration ${row.migration_name}, which this version doesn't know: it was ` +
        'used by a newer Goalkeeper. Upgrade this one, or give it another database.',
      { problem: 'newer' },
    );
  }
  if (!row.finished_at) {
    throw new MigrationError(
      `Migration ${row.migration_name} was begun by another tool and never finished. Restore a ` +
        'backup, or finish it by hand and tell with `prisma migrate resolve`.',
      { problem: 'unfinished' },
    );
  }
  if (row.checksum !== migration.checksum) {
    throw new MigrationError(
      `Migration ${row.migration_name} in the database isn't the one of this version: its script ` +
        'was edited after it ran. Install the version that made this database.',
    );
  }
}

async function appliedMigrations(sql: Sql | TransactionSql): Promise<Applied[]> {
  const [table] = await sql`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "exists"`;
  if (table?.exists !== true) return [];
  return sql<Applied[]>`
    SELECT migration_name, checksum, finished_at FROM _prisma_migrations
    WHERE rolled_back_at IS NULL ORDER BY started_at`;
}

const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;
