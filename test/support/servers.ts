import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { grantRoles, setPasswords } from '../../src/stack/database-roles.ts';
import { embeddedUsers } from '../../src/stack/embedded-users.ts';
import { migrate, readMigrations } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';

/** A downloaded Temporal CLI outlives the run that fetched it. */
export const CLI_FOLDER = join(tmpdir(), 'goalkeeper-test-bin');

export interface TestDatabase {
  /** As the service writes to it. */
  readonly url: string;
  readonly readerUrl: string;
  /** As a test looks into it and changes it behind the service's back. */
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

/** A migrated database of its own: the files of the run's template, which cost half of what their pages in a log would. */
export async function freshDatabase(): Promise<TestDatabase> {
  const { ownerUrl, drop } = await createDatabase(`TEMPLATE ${templateName()} STRATEGY FILE_COPY`);
  const { writer, reader } = embeddedUsers(testFolder(), ownerUrl);
  return { url: writer, readerUrl: reader, ownerUrl, drop };
}

/** A database without any table, as its owner. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

/** Host and port of the run's Temporal server; its namespace is `default`. */
export function temporalAddress(): string {
  return required('GOALKEEPER_TEST_TEMPORAL');
}

/** Migrates the database that `freshDatabase` copies, once a run. */
export async function makeTemplate(serverUrl: string): Promise<void> {
  const name = templateName();
  await withConnection(serverUrl, async (sql) => {
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (found.count === 0) await sql.unsafe(`CREATE DATABASE ${name}`);
  });
  const owner = databaseUrl(serverUrl, name);
  await migrate(owner);
  const users = embeddedUsers(testFolder(), owner);
  await grantRoles(users);
  await withConnection(owner, async (sql) => {
    await sql`SET scram_iterations = 1`;
    await setPasswords(sql, users);
  });
}

/**
 * The run's data end with the run: nothing is flushed to disk for a power loss, and nobody tidies a
 * hundred databases that live for a minute. Tests of durability start servers of their own.
 */
export async function spareTheDisk(serverUrl: string): Promise<void> {
  await withConnection(serverUrl, async (sql) => {
    for (const name of ['fsync', 'full_page_writes', 'autovacuum']) {
      await sql.unsafe(`ALTER SYSTEM SET ${name} = off`);
    }
    await sql`SELECT pg_reload_conf()`;
    await cheapenPassword(sql, new URL(serverUrl));
  });
}

/** Its 4,096 rounds of hashing are a good part of what each of 1,700 connections costs both ends. */
async function cheapenPassword(sql: Sql, { username, password }: URL): Promise<void> {
  const role = decodeURIComponent(username);
  const secret = decodeURIComponent(password);
  await sql`SET scram_iterations = 1`;
  const [command] = await sql`
    SELECT format('ALTER ROLE %I PASSWORD %L', ${role}::text, ${secret}::text) AS text`;
  await sql.unsafe(command?.text);
}

/** Another set of migrations is another template, so that a kept server can't serve an old one. */
function templateName(): string {
  const checksums = readMigrations().map((migration) => migration.checksum.slice(0, 6));
  return `goalkeeper_template_${checksums.join('_')}`;
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const server = required('GOALKEEPER_TEST_DATABASE_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withConnection(server, (sql) => sql.unsafe(`CREATE DATABASE ${name} ${options}`));
  const url = databaseUrl(server, name);
  return {
    url,
    readerUrl: url,
    ownerUrl: url,
    drop: async () => {
      await withConnection(server, (sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const testFolder = (): string => required('GOALKEEPER_TEST_FOLDER');

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is unset: run this test in the project "integration"`);
  return value;
}
