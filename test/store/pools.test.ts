import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/client.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { openStore } from '../../src/store/store.ts';
import { createPools } from '../../src/store/workspaces/pools.ts';
import { createWorkspaces } from '../../src/temporal/workspaces.ts';
import { freshDatabase } from '../support/servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase(database.url, { connections: 8 });
});
beforeEach(async () => {
  await db`DELETE FROM pool`;
  await db`DELETE FROM worker`;
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const silentFor = (seconds: number) =>
  db`UPDATE pool SET seen_at = now() - make_interval(secs => ${seconds})`;

test('POOL-3 a pool is one machine’s until a minute passed without a sign of it', async () => {
  const pools = createPools(db);
  expect(await pools.take('shop', 'a')).toBe('a');
  expect(await pools.take('shop', 'b')).toBe('a');
  await silentFor(59);
  expect(await pools.take('shop', 'b')).toBe('a');
  await silentFor(61);
  expect(await pools.take('shop', 'b')).toBe('b');
  expect(await pools.take('shop', 'a')).toBe('b');
});

test('POOL-3 a sign of it begins the minute anew', async () => {
  const pools = createPools(db);
  await pools.take('shop', 'a');
  await silentFor(59);
  await pools.take('shop', 'a');
  await db`UPDATE pool SET seen_at = seen_at - interval '30 seconds'`;
  expect(await pools.take('shop', 'b')).toBe('a');
});

test('POOL-3 of many machines that ask at once, one has it', async () => {
  const pools = createPools(db);
  for (const silence of [0, 61]) {
    await silentFor(silence);
    const machines = Array.from({ length: 20 }, (_, index) => `${silence}-${index}`);
    const holders = await Promise.all(machines.map((machine) => pools.take('shop', machine)));
    expect(new Set(holders).size).toBe(1);
    expect(machines).toContain(holders[0]);
  }
});

test('POOL-3 it is let go of by its own machine alone, once no living worker of it is left', async () => {
  const pools = createPools(db);
  await pools.take('shop', 'a');
  await db`INSERT INTO worker (worker_id, host, pid, task_queues, version)
    VALUES ('w', 'shop', 1, '[]', '1')`;
  await pools.release('shop', 'a');
  expect(await pools.take('shop', 'b')).toBe('a');
  await db`UPDATE worker SET seen_at = now() - interval '16 seconds'`;
  await pools.release('shop', 'b');
  expect(await pools.take('shop', 'b')).toBe('a');
  await pools.release('shop', 'a');
  expect(await pools.take('shop', 'b')).toBe('b');
});

test('POOL-9 a workspace comes to another pool once its machine has been silent for as long as it may still write, or has let go', async () => {
  const store = openStore(database.url);
  onTestFinished(() => store.close());
  const tree = await mkdtemp(join(tmpdir(), 'goalkeeper-pool-'));
  const registry = (host: string) =>
    createWorkspaces(createIntake(store, { ledgerKeys: ledgerKeys([]) }), { host });
  const pools = createPools(db);
  await pools.take('shop', 'a');
  await registry('shop').registerAs('tree', tree);
  for (const seconds of [0, 16, 59]) {
    await silentFor(seconds);
    await expect(registry('mart').registerAs('tree', tree)).rejects.toThrow(/written to by a,/);
  }
  await silentFor(61);
  await registry('mart').registerAs('tree', tree);
  await pools.take('mart', 'b');
  await expect(registry('shop').registerAs('tree', tree)).rejects.toThrow(/written to by b,/);
  await pools.release('mart', 'b');
  await registry('shop').registerAs('tree', tree);
  const [row] = await db`SELECT host FROM workspace WHERE name = 'tree'`;
  expect(row?.host).toBe('shop');
});

test('POOL-11 a workspace is refused nowhere any more at the moment when it is served', async () => {
  const store = openStore(database.url);
  onTestFinished(() => store.close());
  const path = await mkdtemp(join(tmpdir(), 'goalkeeper-pool-'));
  const refused = ['moved', 'root'].map((name) => ({ name, path, why: 'not yet' }));
  for (const host of ['shop', 'mart'])
    await db`INSERT INTO worker (worker_id, host, pid, task_queues, version, refused)
      VALUES (${host}, ${host}, 1, '[]', '1', ${db.json(refused)})`;
  const intake = createIntake(store, { ledgerKeys: ledgerKeys([]) });
  await createWorkspaces(intake, { host: 'mart' }).registerAs('moved', path);
  const rows = await db<{ host: string; refused: { name: string }[] }[]>`
    SELECT host, refused FROM worker ORDER BY host`;
  expect(rows.map((row) => [row.host, row.refused.map(({ name }) => name)])).toEqual([
    ['mart', ['root']],
    ['shop', ['moved', 'root']],
  ]);
});
