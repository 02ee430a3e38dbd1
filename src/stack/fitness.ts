import type { Sql, TransactionSql } from 'postgres';
import { ONLY_READ } from './database-roles.ts';
import { MigrationError } from './migration-error.ts';

type Connection = Sql | TransactionSql;

interface Setting {
  readonly name: string;
  readonly user: string;
  /** Where new tables go; null = nowhere. */
  readonly schema: string | null;
  readonly path: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/**
 * Is this a database that can hold the record, as this user sees it?
 * @throws MigrationError
 */
export async function assertFit(sql: Connection): Promise<void> {
  const [setting] = await sql<[Setting]>`
    SELECT current_database() AS name, current_user AS "user", current_schema() AS schema,
      current_setting('search_path') AS path, current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() AS "isStandby",
      current_setting('default_transaction_read_only')::bool AS "isReadOnly"`;
  const elsewhere = await schemasWithRecord(sql);
  const problem = problemOf(setting, elsewhere);
  if (problem !== null) throw new MigrationError(`The database ${setting.name} ${problem}`);
}

function problemOf(setting: Setting, recorded: readonly string[]): string | null {
  const { name, user, schema, path, encoding, isStandby, isReadOnly } = setting;
  if (isStandby) return 'is in recovery, so nothing can be written to it: name its primary server.';
  if (isReadOnly) {
    return 'takes no writes: turn off default_transaction_read_only for it and for its user.';
  }
  if (encoding !== 'UTF8') {
    return `has the encoding ${encoding}, which holds only a part of all text: make one with CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'.`;
  }
  if (schema === null) {
    return `has no schema of the search_path ${path} of ${user}: correct it, or make the schema.`;
  }
  if (recorded.length === 0 || recorded.includes(schema)) return null;
  return `keeps the record in the schema ${recorded.join(', ')}, but the search_path ${path} of ${user} leads to ${schema}: let it begin with the former.`;
}

async function schemasWithRecord(sql: Connection): Promise<string[]> {
  const rows = await sql<{ schema: string }[]>`
    SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c.relname IN ('_prisma_migrations', 'ledger', 'journal', 'inbox')
    GROUP BY n.nspname HAVING count(*) = 4`;
  return rows.map(({ schema }) => schema);
}

/** Does Goalkeeper's own record lie where new tables go? */
export async function hasRecord(sql: Connection): Promise<boolean> {
  const [row] = await sql<[{ schema: string | null }]>`SELECT current_schema() AS schema`;
  return (await schemasWithRecord(sql)).includes(row.schema ?? '');
}

/**
 * A database without a migration of ours is taken only while it is empty: else it is somebody's.
 * @throws MigrationError
 */
export async function assertEmpty(sql: Connection): Promise<void> {
  // What extensions bring along is nobody's.
  const rows = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class c
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND relname <> '_prisma_migrations'
      AND NOT EXISTS (SELECT 1 FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1 LIMIT 5`;
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new MigrationError(
    `The database is not empty (${names}), and its history has none of our migrations: it belongs ` +
      'to something else, or lost that history. Give Goalkeeper one of its own, or restore a backup.',
  );
}

/**
 * May this user do what the service does all the time?
 * @throws MigrationError
 */
export async function assertGranted(sql: Connection): Promise<void> {
  const rows = await sql<{ name: string; user: string }[]>`
    SELECT relname AS name, current_user AS "user" FROM pg_class c
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
      AND relname <> '_prisma_migrations'
      AND NOT (has_table_privilege(oid, 'SELECT')
        AND (relname IN ${sql(['', ...ONLY_READ])} OR has_table_privilege(oid, 'INSERT')))
    ORDER BY 1 LIMIT 5`;
  const [first] = rows;
  if (first === undefined) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new MigrationError(
    `The user ${first.user} may not read and write the tables ${names}: grant it ` +
      'SELECT, INSERT, UPDATE and DELETE on all tables, or use their owner.',
    { problem: 'refused' },
  );
}
