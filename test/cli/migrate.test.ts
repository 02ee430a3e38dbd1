import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers.ts';
import { type Ran, start } from './command-line.ts';

const closing: (() => unknown)[] = [];
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-migrate-'));
  closing.push(() => rmSync(home, { recursive: true }));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function database(open: () => Promise<TestDatabase>): Promise<string> {
  const made = await open();
  closing.push(() => made.drop());
  return made.ownerUrl;
}

const query = (url: string, statement: string) =>
  withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);

const migrate = (environment: Record<string, string>, ...args: string[]): Promise<Ran> =>
  start(['migrate', ...args], {
    GOALKEEPER_HOME: home,
    GOALKEEPER_START_SECONDS: '0',
    ...environment,
  }).done;

const newest = readMigrations().at(-1)?.name ?? '';

test('SERVE-1 a check names what is missing, and after a migration nothing is', async () => {
  const url = await database(emptyDatabase);
  const environment = { DATABASE_URL: url };
  expect(await migrate(environment, '--check')).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('0001_init'),
  });
  expect(await query(url, "SELECT to_regclass('goal') AS goal")).toEqual([{ goal: null }]);
  const ran = await migrate(environment);
  expect(ran).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^up to date: applied \d+/),
  });
  expect(await migrate(environment, '--check')).toMatchObject({ exitCode: 0, out: 'up to date\n' });
  expect(await migrate(environment)).toMatchObject({
    exitCode: 0,
    out: 'up to date: nothing was missing\n',
  });
});

describe('SERVE-2 a check exits 1 and names', () => {
  test.each([
    ['pending', `DELETE FROM _prisma_migrations WHERE migration_name = '${newest}'`, newest],
    [
      'newer',
      `UPDATE _prisma_migrations SET migration_name = '9999_x' WHERE migration_name = '${newest}'`,
      '9999_x',
    ],
    [
      'unfinished',
      `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${newest}'`,
      'never finished',
    ],
  ])('what is %s', async (state, statement, named) => {
    const url = await database(freshDatabase);
    await query(url, statement);
    const ran = await migrate({ DATABASE_URL: url }, '--check', '--json');
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.out)).toMatchObject({ state, detail: expect.stringContaining(named) });
    if (state === 'pending') return;
    // Nor does a migration touch it.
    const refused = await migrate({ DATABASE_URL: url });
    expect(refused).toMatchObject({ exitCode: 1, out: expect.stringContaining(named) });
  });
});

describe('SERVE-3 exits 3 for a setting', () => {
  test('that is not set', async () => {
    const ran = await migrate({});
    expect(ran).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('DATABASE_URL is not set'),
    });
  });

  test('whose address nobody answers, which is named without its password', async () => {
    const ran = await migrate({ DATABASE_URL: 'postgresql://a:hidden@127.0.0.1:1/b' }, '--check');
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/database b at 127\.0\.0\.1:1/);
    expect(ran.err).not.toContain('hidden');
  });
});

test('SERVE-4 the owner migrates, and writer and reader get their rights from it', async () => {
  const owner = await database(emptyDatabase);
  const user = () =>
    Object.assign(new URL(owner), {
      username: `user_${randomBytes(6).toString('hex')}`,
      password: randomBytes(16).toString('hex'),
    }).href;
  const [writer, reader] = [user(), user()];
  closing.push(async () => {
    const names = [writer, reader].map((url) => new URL(url).username).join(', ');
    await query(process.env.GOALKEEPER_TEST_DATABASE_URL ?? '', `DROP ROLE IF EXISTS ${names}`);
  });
  closing.push(async () => {
    const names = [writer, reader].map((url) => new URL(url).username).join(', ');
    await query(owner, `DROP OWNED BY ${names}`);
  });
  const environment = {
    OWNER_DATABASE_URL: owner,
    DATABASE_URL: writer,
    READER_DATABASE_URL: reader,
  };
  expect((await migrate(environment)).exitCode).toBe(0);
  expect((await migrate(environment, '--check')).exitCode).toBe(0);
  await expect(query(writer, 'TRUNCATE goal')).rejects.toThrow('permission denied');
  expect(await query(reader, 'SELECT * FROM goal')).toEqual([]);
  await expect(query(reader, 'DELETE FROM goal')).rejects.toThrow('permission denied');
});
