import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseUnavailable, openDatabase, withTypedErrors } from '../../src/store/client.ts';
import { openDriver } from '../../src/store/driver.ts';
import { listen } from '../../src/store/notices/listener.ts';
import { notifyCancel } from '../../src/store/notices/notifier.ts';
import { openStore } from '../../src/store/store.ts';
import { addressIn, layCable, throughCable } from '../support/cable.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let other: ReturnType<typeof openDatabase>;
/** All of it goes through one connection, whose sockets are at hand. */
let sql: ReturnType<typeof openDriver>;
let sockets: Socket[];

beforeAll(async () => {
  database = await freshDatabase();
  other = openDatabase(database.url, { connections: 2 });
});
afterAll(async () => {
  await other.end();
  await database.drop();
});
beforeEach(async () => {
  await other`DELETE FROM pool`;
  sockets = [];
  const { hostname, port } = new URL(database.url);
  const opened = (): Socket => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    return socket;
  };
  const options = { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} };
  sql = openDriver(database.url, { ...options, ...{ socket: opened } });
});
afterEach(() => sql.end({ timeout: 0 }));

const newest = (): Socket => sockets.at(-1) as Socket;
const names = async () => (await other`SELECT name FROM pool ORDER BY name`).map((row) => row.name);
const backend = async (on: typeof sql) => {
  const [row] = await on`SELECT pg_backend_pid() AS pid`;
  return Number(row?.pid);
};
const serves = async () => expect((await sql`SELECT 1 AS one`)[0]?.one).toBe(1);

test('DRIVER-1 a transaction whose server ends under a statement fails as unavailable, and its connection serves again', async () => {
  const port = withTypedErrors({
    work: () =>
      sql.begin(async (tx) => {
        const pid = await backend(tx as unknown as typeof sql);
        const asked = tx`SELECT pg_sleep(60)`.execute();
        await other`SELECT pg_terminate_backend(${pid})`;
        await asked;
      }),
  });
  for (let times = 0; times < 3; times += 1) {
    await expect(port.work()).rejects.toThrow(DatabaseUnavailable);
    await serves();
  }
});

test('DRIVER-2 what a transaction says after its connection was cut runs in no other transaction, and is refused', async () => {
  let goOn = () => {};
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve();
  const first = sql.begin(async (tx) => {
    await tx`INSERT INTO pool VALUES ('first', 'here')`;
    newest().destroy();
    await released;
    late = tx`INSERT INTO pool VALUES ('late', 'here')`.execute();
    await late;
  });
  await expect(first).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await sql.begin(async (tx) => {
    await tx`INSERT INTO pool VALUES ('second', 'here')`;
    goOn();
    await new Promise(setImmediate);
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await tx`INSERT INTO pool VALUES ('third', 'here')`;
  });
  expect(await names()).toEqual(['second', 'third']);
});

test('DRIVER-3 a connection that closes while a statement is about to be sent sends the next ones', async () => {
  await serves();
  const asked = sql`SELECT 2`.execute();
  await Promise.resolve();
  await Promise.resolve();
  const socket = newest();
  socket.emit('close', false);
  socket.destroy();
  await expect(asked).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await serves();
  expect(sockets).toHaveLength(2);
});

test('DRIVER-4 what is asked between the error of a connection and its end is refused, not left without an answer', async () => {
  await serves();
  const socket = newest();
  socket.destroy(new Error('reset'));
  await once(socket, 'error');
  await expect(sql`SELECT 2`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await serves();
});

test('DRIVER-5 statements of a transaction that wait for their turn are refused once its connection is cut', async () => {
  let waiting: Promise<unknown>[] = [];
  const cut = sql.begin(async (tx) => {
    waiting = Array.from({ length: 300 }, () => tx`SELECT pg_sleep(60)`.execute());
    setImmediate(() => newest().destroy());
    await Promise.all(waiting);
  });
  await expect(cut).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  const ends = await Promise.allSettled(waiting);
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(300);
  await serves();
});

test('DRIVER-6 the server looks every few seconds whether the machine of a session is still there', async () => {
  const store = openStore(database.url);
  const names = ['idle', 'interval', 'count'].map((part) => `tcp_keepalives_${part}`);
  const settings = ['tcp_user_timeout', ...names];
  const want = Object.fromEntries(
    settings.map((name, at) => [name, ['30000', '10', '5', '3'][at]]),
  );
  const plain = await store.sql`
    SELECT name, setting FROM pg_settings WHERE name IN ${store.sql(settings)}`;
  const ordinary = await store.prisma.$queryRaw<{ name: string; setting: string }[]>`
    SELECT name, setting FROM pg_settings WHERE name = ANY (${settings})`;
  await store.close();
  for (const rows of [plain, ordinary])
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(want);
});

const UNWATCHED = { max: 2, connect_timeout: 2, fetch_types: false, onnotice: () => {} };
const SOON_MS = 200;

test('DRIVER-7 a statement on a line that fell silent fails as unavailable, and the next one is answered once the network is back', async () => {
  const cable = await layCable(addressIn(database.url));
  const far = openDriver(throughCable(database.url, cable), UNWATCHED, null, SOON_MS);
  const port = withTypedErrors({ ask: async () => [...(await far`SELECT 1 AS one`)] });
  const inTransaction = withTypedErrors({
    ask: () => far.begin(async (tx) => [...(await tx`SELECT 1 AS one`)]),
  });
  for (const { ask } of [port, inTransaction]) {
    expect(await ask()).toEqual([{ one: 1 }]);
    cable.silence();
    const asked = ask();
    cable.mend();
    await expect(asked).rejects.toThrow(DatabaseUnavailable);
    expect(await ask()).toEqual([{ one: 1 }]);
  }
  cable.silence();
  await expect(port.ask()).rejects.toThrow(DatabaseUnavailable);
  cable.mend();
  await port.ask();
  cable.silence();
  const last = expect(port.ask()).rejects.toThrow(DatabaseUnavailable);
  // What is under way is waited for, and no longer than that.
  await far.end();
  await last;
  await cable.close();
});

test('DRIVER-8 a statement that takes its time is waited for, however often the server is asked about it', async () => {
  const cable = await layCable(addressIn(database.url));
  const far = openDriver(throughCable(database.url, cable), UNWATCHED, null, SOON_MS);
  const before = cable.count();
  expect(await far`SELECT 1 AS one FROM pg_sleep(${(SOON_MS * 6) / 1000})`).toEqual([{ one: 1 }]);
  expect(cable.count() - before).toBeGreaterThan(2);
  await far.end({ timeout: 0 });
  await cable.close();
});

test('DRIVER-9 who only listens learns that its line fell silent, and listens again', async () => {
  const cable = await layCable(addressIn(database.url));
  const heard: string[] = [];
  let missed = () => {};
  const listensAgain = new Promise<void>((resolve) => {
    missed = resolve;
  });
  const hooks = {
    onCancel: (goalId: string) => void heard.push(goalId),
    onMayHaveMissed: () => missed(),
  };
  const listener = await listen(throughCable(database.url, cable), hooks, SOON_MS);
  cable.silence();
  cable.mend();
  await listensAgain;
  await notifyCancel(other, 'g-1');
  await eventually(() => expect(heard).toEqual(['g-1']));
  await listener.close();
  await cable.close();
});

test('DRIVER-10 an ordinary query on a line that fell silent fails as unavailable, and the next one is answered', async () => {
  const cable = await layCable(addressIn(database.url));
  const url = throughCable(database.url, cable);
  const store = openStore(url, { plainConnections: 1, plainSilenceMs: SOON_MS * 5 });
  const port = withTypedErrors({ ask: () => store.prisma.pool.count() });
  expect(await port.ask()).toBe(0);
  cable.silence();
  const asked = port.ask();
  cable.mend();
  await expect(asked).rejects.toThrow(DatabaseUnavailable);
  expect(await port.ask()).toBe(0);
  await store.close();
  await cable.close();
});

test('REC-47 a line that falls silent while a statement is described is cut, though its session is active', async () => {
  const cable = await layCable(addressIn(database.url));
  const far = openDriver(throughCable(database.url, cable), UNWATCHED, null, SOON_MS);
  await far`SELECT 1 AS one`;
  const port = withTypedErrors({ ask: () => far`SELECT ${'one'}::text AS is_first` });
  // The statement is sent in two halves the first time: the server waits for the second one.
  const isSilent = cable.silenceBehind('is_first');
  const asked = expect(port.ask()).rejects.toThrow(DatabaseUnavailable);
  await isSilent;
  cable.mend();
  await asked;
  await far.end({ timeout: 0 });
  await cable.close();
});

test('REC-48 what a transaction on a line that fell silent has locked is free once the line is cut, though a proxy keeps its session', async () => {
  const cable = await layCable(addressIn(database.url));
  const far = openDriver(throughCable(database.url, cable), UNWATCHED, null, SOON_MS);
  await other`INSERT INTO pool VALUES ('locked', 'here')`;
  const port = withTypedErrors({
    change: (words: string) =>
      far.begin(async (tx) => {
        await tx`SELECT name FROM pool WHERE name = 'locked' FOR UPDATE`;
        if (words === 'dead') {
          cable.silence();
          cable.mend();
        }
        await tx`UPDATE pool SET machine = ${words} WHERE name = 'locked'`;
      }),
  });
  await expect(port.change('dead')).rejects.toThrow(DatabaseUnavailable);
  await port.change('alive');
  const [row] = await other`SELECT machine FROM pool WHERE name = 'locked'`;
  expect(row?.machine).toBe('alive');
  await far.end({ timeout: 0 });
  await cable.close();
});

test('REC-49 the server ends a transaction that says nothing for long, which fails as unavailable', async () => {
  const store = openStore(database.url);
  const plain = await store.sql`SHOW idle_in_transaction_session_timeout`;
  const ordinary = await store.prisma.$queryRaw`SHOW idle_in_transaction_session_timeout`;
  expect([plain[0], ordinary]).toEqual([
    { idle_in_transaction_session_timeout: '1min' },
    [{ idle_in_transaction_session_timeout: '1min' }],
  ]);
  const port = withTypedErrors({
    work: () =>
      store.sql.begin(async (tx) => {
        await tx`SET LOCAL idle_in_transaction_session_timeout = 50`;
        const pid = await backend(tx as unknown as typeof sql);
        await eventually(async () =>
          expect(await other`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`).toHaveLength(0),
        );
        await tx`SELECT 1`;
      }),
  });
  await expect(port.work()).rejects.toThrow(DatabaseUnavailable);
  await store.close();
});

test('DRIVER-12 a statement whose connection is hung up on before it is greeted fails as unavailable', async () => {
  const cable = await layCable(addressIn(database.url));
  const far = openDriver(throughCable(database.url, cable), UNWATCHED, null);
  const port = withTypedErrors({ ask: async () => [...(await far`SELECT 1 AS one`)] });
  cable.cut();
  for (let times = 0; times < 3; times += 1)
    await expect(port.ask()).rejects.toThrow(DatabaseUnavailable);
  await expect(far.begin((tx) => tx`SELECT 1`)).rejects.toMatchObject({
    code: 'CONNECTION_CLOSED',
  });
  cable.mend();
  expect(await port.ask()).toEqual([{ one: 1 }]);
  await far.end({ timeout: 0 });
  await cable.close();
});
