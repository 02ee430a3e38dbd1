import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseUnavailable, openDatabase, withTypedErrors } from '../../src/store/client.ts';
import { withHeldLock } from '../../src/store/held-lock.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let one: ReturnType<typeof openDatabase>;
let other: ReturnType<typeof openDatabase>;
const SOON_MS = 20;

beforeAll(async () => {
  database = await freshDatabase();
  [one, other] = [openDatabase(database.url), openDatabase(database.url)];
});
afterAll(async () => {
  await one.end();
  await other.end();
  await database.drop();
});

test('REC-58 a lock has one holder at a time, for as long as it works', async () => {
  const ran: string[] = [];
  const isMine = await withHeldLock(one, 'a', async () => {
    expect(await withHeldLock(other, 'a', async () => void ran.push('other'))).toBe(false);
    expect(await withHeldLock(other, 'b', async () => void ran.push('another lock'))).toBe(true);
  });
  expect(isMine).toBe(true);
  expect(await withHeldLock(other, 'a', async () => void ran.push('later'))).toBe(true);
  expect(ran).toEqual(['another lock', 'later']);
});

test('REC-58 who holds a lock for longer than the server lets a transaction be silent keeps it', async () => {
  await withHeldLock(
    one,
    'a',
    async (tx) => {
      await tx`SET LOCAL idle_in_transaction_session_timeout = 400`;
      const until = performance.now() + 1200;
      await eventually(() => expect(performance.now()).toBeGreaterThan(until));
      expect(await withHeldLock(other, 'a', async () => {})).toBe(false);
    },
    SOON_MS,
  );
});

test('REC-58 who loses a lock writes nothing more by it, and returns once its work is over', async () => {
  const said: string[] = [];
  const port = withTypedErrors({
    work: () =>
      withHeldLock(
        one,
        'a',
        async (tx) => {
          const [row] = await tx`
            INSERT INTO pool VALUES ('lost', 'here') RETURNING pg_backend_pid() AS pid`;
          await other`SELECT pg_terminate_backend(${Number(row?.pid)})`;
          await eventually(async () =>
            expect(await withHeldLock(other, 'a', async () => {})).toBe(true),
          );
          said.push('worked');
        },
        SOON_MS,
      ),
  });
  await expect(port.work()).rejects.toThrow(DatabaseUnavailable);
  expect(said).toEqual(['worked']);
  expect(await other`SELECT 1 FROM pool WHERE name = 'lost'`).toHaveLength(0);
});
