import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { failureOf } from '../../src/cli/failure.ts';
import { assertMigrated, migrate, readMigrations } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers.ts';

const names = readMigrations().map((migration) => migration.name);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(make: () => Promise<TestDatabase>, change = ''): Promise<string> {
  const database = await make();
  closing.push(() => database.drop());
  if (change !== '') await query(database.ownerUrl, change);
  return database.ownerUrl;
}

const query = (url: string, statement: string): Promise<Record<string, unknown>[]> =>
  withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** A database of one's own kind, and a user of one's own where `user` is told. */
async function made(options: string): Promise<string> {
  const server = await open(emptyDatabase);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name} ${options}`);
  closing.push(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function userOf(url: string): Promise<string> {
  const name = `user_${randomBytes(8).toString('hex')}`;
  await query(url, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  closing.push(() => query(url, `DROP OWNED BY ${name}; DROP ROLE ${name}`));
  return Object.assign(new URL(url), { username: name, password: 'x' }).href;
}

const TABLES = `SELECT nspname || '.' || relname AS name FROM pg_class c
  JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'v', 'S')
  AND nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;

/** The refusal names what is wrong, is no defect, and nothing was changed. */
async function expectRefused(url: string, says: RegExp, seenBy = url): Promise<void> {
  const before = await query(seenBy, TABLES);
  const error = await migrate(url).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toMatch(says);
  expect(failureOf(error).wayOut).toBe('Correct that and start again.');
  expect(String(error)).not.toContain(new URL(seenBy).password);
  expect(await query(seenBy, TABLES)).toEqual(before);
}

describe("somebody else's database is left as it is", () => {
  const history = readFileSync(new URL('fixtures/before-squash.sql', import.meta.url), 'utf8')
    .match(/CREATE TABLE public\._prisma_migrations \([^;]*\);/)
    ?.at(0);
  const noted = (name: string) => `${history}
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('1', 'x', '${name}', now()); CREATE TABLE customers ()`;
  test.each([
    ['with tables', 'CREATE TABLE customers (); CREATE TABLE orders ()', /customers, orders.*else/],
    ['with tables of our names', 'CREATE TABLE goal ()', /not empty \(goal\)/],
    ['with a view', 'CREATE VIEW sums AS SELECT 1', /not empty \(sums\)/],
    ['with a sequence', 'CREATE SEQUENCE numbers', /not empty \(numbers\)/],
    ['with migrations of its own', noted('2020_init'), /2020_init.*belongs to something else/],
    ['with a migration of our name', noted('0001_init'), /0001_init.*belongs to something else/],
    ['with a history of another kind', 'CREATE TABLE _prisma_migrations (a int)', /at 127/],
  ])('%s', async (_, change, says) => {
    await expectRefused(await open(emptyDatabase, change), says);
  });

  test("what an extension brought along is nobody's", async () => {
    const url = await open(
      emptyDatabase,
      'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
    ).catch(() => open(emptyDatabase));
    expect(await migrate(url)).toEqual(names);
  });
});

describe('a database from before the squash is taken over only as its migrations made it', () => {
  const BEFORE = readFileSync(new URL('fixtures/before-squash.sql', import.meta.url), 'utf8');
  test.each([
    ['a table', 'DROP TABLE delivery CASCADE', /lacks column delivery/],
    ['a column', 'ALTER TABLE goal DROP COLUMN objective CASCADE', /lacks column goal\.objective/],
    ['a guard', 'DROP TRIGGER ledger_append_only ON ledger', /lacks trigger .*ledger_append_only/],
    ['an index', 'DROP INDEX goal_current_of_thread_key', /lacks index .*goal_current_of_thread/],
    [
      'a migration that is noted twice in the place of another',
      `DELETE FROM _prisma_migrations WHERE migration_name = '0030_helper_is_init';
       INSERT INTO _prisma_migrations SELECT 'x', checksum, finished_at, migration_name
         FROM _prisma_migrations WHERE migration_name = '0029_undo'`,
      /19 of the 20/,
    ],
  ])('not without %s', async (_, change, says) => {
    const url = await open(emptyDatabase, `${BEFORE}; SET search_path = public; ${change}`);
    const history = 'SELECT * FROM _prisma_migrations ORDER BY id';
    const before = await query(url, history);
    await expectRefused(url, says);
    expect(await query(url, history)).toEqual(before);
  });

  test('tables beside it are no hindrance', async () => {
    const url = await open(emptyDatabase, `${BEFORE}; CREATE TABLE public.customers ()`);
    expect(await migrate(url)).toEqual(names);
  });
});

describe('what the server or the user lacks is named', () => {
  test.each(['LATIN1', 'SQL_ASCII'])('the encoding %s', async (encoding) => {
    const url = await made(
      `TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    await expectRefused(url, new RegExp(`encoding ${encoding}.*ENCODING 'UTF8'`));
  });

  test.each([
    ['search_path = nowhere', /no schema of the search_path nowhere/],
    ['default_transaction_read_only = on', /takes no writes/],
  ])('%s', async (setting, says) => {
    const url = await open(emptyDatabase);
    await query(url, `ALTER DATABASE ${nameOf(url)} SET ${setting}`);
    await expectRefused(url, says);
  });

  test.each(['other', 'other, public'])('a search_path %s, past the record', async (path) => {
    const url = await open(freshDatabase, 'CREATE SCHEMA other');
    await query(url, `ALTER DATABASE ${nameOf(url)} SET search_path = ${path}`);
    await expectRefused(url, /keeps the record in the schema public, but .* leads to other/);
  });

  test('a user that may make nothing, and one that may write nothing', async () => {
    const empty = await open(emptyDatabase);
    await expectRefused(await userOf(empty), /permission denied.*grant it what it lacks/, empty);
    const ready = await open(freshDatabase);
    const reader = await userOf(ready);
    await query(
      ready,
      `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${new URL(reader).username}`,
    );
    await expectRefused(reader, /may not read and write the tables .*grant it/, ready);
  });

  test('a user without a connection left, a wrong password, a wrong name', async () => {
    const url = await open(emptyDatabase);
    const user = await userOf(url);
    await query(url, `ALTER ROLE ${new URL(user).username} CONNECTION LIMIT 0`);
    await expectRefused(user, /too many connections.*Raise the limit/, url);
    const wrong = Object.assign(new URL(url), { password: 'wrong' }).href;
    await expectRefused(wrong, /password authentication failed.*Correct the user/, url);
    const other = Object.assign(new URL(url), { pathname: '/nowhere' }).href;
    await expectRefused(other, /database nowhere at .*does not exist.*Create it/, url);
    const setting = `${url}?schema=other`;
    await expectRefused(setting, /"schema".*Leave out of DATABASE_URL/, url);
  });

  test.each(['hello', 'mysql://a/b', ''])('DATABASE_URL=%s', async (url) => {
    await expect(migrate(url)).rejects.toThrow(/DATABASE_URL is not the URL of a PostgreSQL/);
  });

  test('no server at all', async () => {
    await expect(migrate('postgresql://a:secret@127.0.0.1:1/b')).rejects.toThrow(
      /database b at 127\.0\.0\.1:1 can't be used: .*ECONNREFUSED.*Is it running/,
    );
  });
});

describe('a process that migrates nothing', () => {
  test('is refused by a database that lacks the schema, and told who applies it', async () => {
    const url = await open(emptyDatabase);
    await expect(assertMigrated(url)).rejects.toThrow(/lacks 0001_init.*goalkeeper migrate/);
    expect(await query(url, TABLES)).toEqual([]);
  });

  test('begins with one that has it, and knows one that is away from one that it may not use', async () => {
    await assertMigrated(await open(freshDatabase));
    const away = assertMigrated('postgresql://a:secret@127.0.0.1:1/b');
    await expect(away).rejects.toMatchObject({ problem: 'away' });
    const stranger = new URL(await open(freshDatabase));
    stranger.username = 'nobody_at_all';
    await expect(assertMigrated(stranger.href)).rejects.toMatchObject({ problem: 'refused' });
  });
});
