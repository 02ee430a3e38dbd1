import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withConnection } from '../../src/stack/one-connection.ts';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { DatabaseUnavailable, withTypedErrors } from '../../src/store/client.ts';
import { listen } from '../../src/store/notices/listener.ts';
import { EVENTS_CHANNEL } from '../../src/store/notices/notifier.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { homeWithCluster } from './homes.ts';

/** Two copies of one cluster: what a primary and its replica are to a client. */
let homes: { readonly one: string; readonly two: string };
let one: RunningPostgres;
let two: RunningPostgres;
let url: string;
let store: Store;

beforeEach(async () => {
  homes = { one: await homeWithCluster('primary-'), two: await homeWithCluster('replica-') };
  const data = join(homes.two, 'postgres');
  expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
  writeFileSync(join(data, 'standby.signal'), '');
  one = await startPostgres({ home: homes.one, port: 0 });
  two = await startPostgres({ home: homes.two, port: 0 });
  url = one.url.replace(/@[^/]+/, `@127.0.0.1:${one.port},127.0.0.1:${two.port}`);
  url += '?target_session_attrs=read-write';
  store = openStore(url);
}, 60_000);
afterEach(async () => {
  await store.close();
  await one.stop();
  await two.stop();
});

const portOf = {
  sql: async () => (await store.sql`SELECT inet_server_port() AS port`)[0]?.port,
  prisma: async () => {
    const rows = await store.prisma.$queryRaw<{ port: number }[]>`
      SELECT inet_server_port() AS port`;
    return rows[0]?.port;
  },
};
const typed = withTypedErrors(portOf);
const bothAt = async (port: number) =>
  (await typed.sql().catch(() => null)) === port &&
  (await typed.prisma().catch(() => null)) === port;
const promote = (postgres: RunningPostgres) =>
  withConnection(postgres.url, (sql) => sql`SELECT pg_promote()`);

async function killPrimary(): Promise<void> {
  process.kill(one.pid, 'SIGKILL');
  await one.exited;
}

test('HOSTS-3 both clients and the listener use the host that takes writes, say that none does, and follow a failover', async () => {
  let heard = 0;
  let missed = 0;
  const listener = await listen(url, {
    onEvents: () => {
      heard += 1;
    },
    onMayHaveMissed: () => {
      missed += 1;
    },
  });
  expect(await portOf.sql()).toBe(one.port);
  expect(await portOf.prisma()).toBe(one.port);
  await killPrimary();
  for (const ask of [typed.sql, typed.prisma])
    await waitUntil(() =>
      ask().then(
        () => false,
        (error: Error) => error instanceof DatabaseUnavailable,
      ),
    );
  await promote(two);
  await waitUntil(() => bothAt(two.port));
  await waitUntil(() => missed > 0);
  await store.sql.notify(EVENTS_CHANNEL, 'g-1');
  await waitUntil(() => heard > 0);
  await listener.close();
});

test('HOSTS-4 a former primary that comes back writable is not used, not even when the new one dies', async () => {
  expect(await portOf.sql()).toBe(one.port);
  await killPrimary();
  await promote(two);
  await waitUntil(() => bothAt(two.port));
  const { port } = one;
  one = await startPostgres({ home: homes.one, port });
  const fresh = openStore(url);
  expect((await fresh.sql`SELECT inet_server_port() AS port`)[0]?.port).toBe(two.port);
  await fresh.close();
  process.kill(two.pid, 'SIGKILL');
  await two.exited;
  await expect(typed.sql()).rejects.toThrow(DatabaseUnavailable);
  const ended = await waitUntil(() =>
    typed.sql().then(
      () => null,
      (error: Error) => (String(error.cause).includes('takes writes') ? error : null),
    ),
  );
  expect(String(ended.cause)).toContain(`127.0.0.1:${two.port} takes writes`);
});
