import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/client.ts';
import { createPools } from '../../src/store/workspaces/pools.ts';
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
