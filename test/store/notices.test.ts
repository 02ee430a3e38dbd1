import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  DatabaseUnavailable,
  openDatabase,
  retryUntilBack,
  withTypedErrors,
} from '../../src/store/client.ts';
import { listen } from '../../src/store/notices/listener.ts';
import { createNotifier, notifyCancel } from '../../src/store/notices/notifier.ts';
import { eventually } from '../support/eventually.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

describe('notices', () => {
  it('reach listeners coalesced, also more than one payload holds, and again after a reconnect', async () => {
    const heard: string[][] = [];
    const cancelled: string[] = [];
    const missed = vi.fn();
    const listener = await listen(stores.url, {
      onEvents: (goalIds) => heard.push([...goalIds]),
      onCancel: (goalId) => cancelled.push(goalId),
      onMayHaveMissed: missed,
    });
    const notifier = createNotifier(stores.db);
    const ids = Array.from({ length: 1000 }, (_, index) => `g-${String(index).padStart(16, '0')}`);
    for (const id of [...ids, ...ids]) notifier.touched(id);
    await eventually(() => expect(heard.flat().sort()).toEqual(ids));
    expect(heard.length).toBeLessThan(5);
    await notifyCancel(stores.db, 'g-1');
    await eventually(() => expect(cancelled).toEqual(['g-1']));
    await stores.db`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'goalkeeper listener' AND datname = current_database()`;
    await eventually(() => expect(missed).toHaveBeenCalledOnce());
    notifier.touched('g-after');
    await notifier.close();
    await eventually(() => expect(heard.at(-1)).toEqual(['g-after']));
    await listener.close();
  });
});

describe('a database that is away', () => {
  it('is a typed error that endings are retried on', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { connections: 1 });
    const port = withTypedErrors({ ping: async () => void (await away`SELECT 1`) });
    await expect(port.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    let tries = 0;
    const result = await retryUntilBack(async () => {
      tries += 1;
      if (tries === 1) await port.ping();
      return 'back';
    });
    expect([result, tries]).toEqual(['back', 2]);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(retryUntilBack(port.ping, stop.signal)).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    await away.end();
  });

  it('is what a terminated connection looks like', async () => {
    const port = withTypedErrors({
      terminate: async () => void (await stores.db`SELECT pg_terminate_backend(pg_backend_pid())`),
    });
    await expect(port.terminate()).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
