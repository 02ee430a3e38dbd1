import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/store/client.ts';
import { followDatabaseClock } from '../../src/store/database-clock.ts';
import { freshDatabase, type TestDatabase } from '../support/servers.ts';
import { waitUntil } from '../workflows/helpers.ts';

let own: TestDatabase;
let db: Database;
beforeAll(async () => {
  own = await freshDatabase();
  db = openDatabase(own.url, { connections: 1 });
});
afterAll(async () => {
  await db.end();
  await own.drop();
});

const databaseNow = async () => {
  const [row] = await db<[{ now: string }]>`SELECT clock_timestamp() AS now`;
  return Date.parse(row.now);
};

test('CLK-4 the time of the database is told from the monotonic clock, wherever that one began', async () => {
  let shift = 1_000_000;
  const clock = await followDatabaseClock(db, () => performance.now() + shift, 20);
  const before = await databaseNow();
  expect(Math.abs(clock.now() - before)).toBeLessThan(2000);
  // As a machine that slept: the monotonic clock stood still meanwhile.
  shift -= 3_600_000;
  await waitUntil(async () => Math.abs(clock.now() - (await databaseNow())) < 2000);
  await clock.stop();
});

test('CLK-4 while the database is away, its time goes on', async () => {
  const lost = openDatabase(own.url, { connections: 1 });
  const clock = await followDatabaseClock(lost, () => performance.now(), 20);
  await lost.end({ timeout: 0 });
  const [then, at] = [clock.now(), performance.now()];
  await waitUntil(async () => performance.now() - at > 100);
  expect(clock.now() - then).toBeGreaterThan(99);
  expect(Math.abs(clock.now() - (await databaseNow()))).toBeLessThan(2000);
  await clock.stop();
});
