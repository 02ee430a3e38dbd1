import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withConnection } from '../../src/stack/one-connection.ts';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { homeWithCluster } from './homes.ts';

let home: string;
let running: RunningPostgres | undefined;

beforeEach(async () => {
  home = await homeWithCluster('goalkeeper-postgres-');
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(home, { recursive: true, force: true });
});

async function start(port = 0): Promise<RunningPostgres> {
  running = await startPostgres({ home, port });
  return running;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  return withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);
}

test('data survives a stop and a start, and is flushed to disk', async () => {
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
  await first.stop();
  const second = await start();
  expect(await ask(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  expect(await ask(second.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
});

test('CFG-10 its log stays within what the operator says', async () => {
  running = await startPostgres({ home, port: 0, maxWalMb: 64 });
  expect(await ask(running.url, 'SHOW max_wal_size')).toEqual([{ max_wal_size: '64MB' }]);
  expect(await ask(running.url, 'SHOW min_wal_size')).toEqual([{ min_wal_size: '64MB' }]);
});

test('it is not reachable without the password', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'postgres';
  await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test.each([
  ['damaged', (path: string) => writeFileSync(path, '\0\0')],
  ['missing', (path: string) => rmSync(path)],
  ['of another cluster', (path: string) => writeFileSync(path, 'x'.repeat(43))],
])('a password file that is %s is put right without losing data', async (_how, damage) => {
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
  await first.stop();
  damage(join(home, 'postgres-password'));
  const second = await start();
  expect(await ask(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
});

test('a taken port is left alone and another one is used', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  try {
    const postgres = await start(port);
    expect(postgres.port).not.toBe(port);
    expect(await ask(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    squatter.close();
  }
});

test('a pid file that names an unrelated process harms neither that process nor the start', async () => {
  const first = await start();
  await first.stop();
  const folder = readFileSync(join(home, 'postgres-folder'), 'utf8').trim();
  writeFileSync(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n`);
  const second = await start();
  expect(await ask(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
