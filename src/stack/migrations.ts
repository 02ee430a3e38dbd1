import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations/', import.meta.url));

/** Any number that nothing else in this database locks. */
const LOCK = 7420_0001;

/** The database can't be brought to this version's schema; the message says what to do. */
export class MigrationError extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'MigrationError';
  }
}

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
 * `prisma migrate status` read the same table.
 * @returns the names of the migrations that were applied now.
 * @throws MigrationError when the database is newer, edited or half-migrated.
 */
export async function migrate(databaseUrl: string, folder = MIGRATIONS): Promise<string[]> {
  const migrations = readMigrations(folder);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const pending = await pendingMigrations(client, migrations);
    return pending.length === 0 ? [] : await applyPending(client, migrations);
  } finally {
    await client.end();
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

async function applyPending(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const applied = await inTransaction(client, () => applyNext(client, migrations));
    if (applied === null) return names;
    names.push(applied);
  }
}

/** Looks again under the lock: another process may have been quicker. */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | null> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(CREATE_TABLE);
  const [next] = await pendingMigrations(client, migrations);
  if (!next) return null;
  await runScript(client, next);
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), next.checksum, next.name],
  );
  return next.name;
}

async function runScript(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.script);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `Migration ${migration.name} failed and was undone: ${reason}. ` +
        'Is this database used by something else? Give Goalkeeper one of its own.',
      { cause: error },
    );
  }
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function pendingMigrations(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const applied = new Map((await appliedMigrations(client)).map((a) => [a.migration_name, a]));
  for (const row of applied.values()) checkApplied(row, migrations);
  return migrations.filter((migration) => !applied.has(migration.name));
}

function checkApplied(row: Applied, migrations: Migration[]): void {
  const migration = migrations.find((known) => known.name === row.migration_name);
  if (!migration) {
    throw new MigrationError(
      `The database has migration ${row.migration_name}, which this version doesn't know: it was ` +
        'used by a newer Goalkeeper. Upgrade this one, or give it another database.',
    );
  }
  if (!row.finished_at) {
    throw new MigrationError(
      `Migration ${row.migration_name} was begun by another tool and never finished. Restore a ` +
        'backup, or finish it by hand and tell with `prisma migrate resolve`.',
    );
  }
  if (row.checksum !== migration.checksum) {
    throw new MigrationError(
      `Migration ${row.migration_name} in the database isn't the one of this version: its script ` +
        'was edited after it ran. Install the version that made this database.',
    );
  }
}

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const table = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`);
  if (table.rows[0]?.name === null) return [];
  const { rows } = await client.query<Applied>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
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
