import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BackupError } from '../../src/stack/backup/backup-format.ts';
import { makeBackup } from '../../src/stack/backup/make-backup.ts';
import { restoreBackup } from '../../src/stack/backup/restore-backup.ts';
import { lockHome } from '../../src/stack/home-lock.ts';
import { migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { homeWithCluster } from './homes.ts';

let home: string;
let server: RunningPostgres;
let unlock: () => void;
const places: string[] = [];
const place = (): string => {
  const folder = memoryFolder('goalkeeper-backup-');
  places.push(folder);
  return folder;
};

/** As `up` would serve it, with what else lies in a home. */
beforeAll(async () => {
  home = await homeWithCluster('goalkeeper-kept-');
  server = await startPostgres({ home, port: 0 });
  unlock = lockHome(home, () => null);
  await migrate(server.url);
  writeFileSync(join(home, 'temporal.key'), 'key of the payloads', { mode: 0o600 });
  mkdirSync(join(home, 'proofs', 'g-1'), { recursive: true });
  writeFileSync(join(home, 'proofs', 'g-1', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('run.sh', join(home, 'proofs', 'g-1', 'link'));
  mkdirSync(join(home, 'bin'));
  for (const name of ['bin/temporal', 'temporal.db', 'api.log', 'run.json'])
    writeFileSync(join(home, name), 'not kept');
});
afterEach(() => {
  for (const folder of places.splice(0)) rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  unlock();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const onProgress = () => {};
const backUp = (folder: string, of = home) =>
  makeBackup({ home: of, folder, hasDatabase: true, onProgress });
const putBack = (folder: string, to: string) => restoreBackup({ folder, home: to, onProgress });
const faultOf = (asked: Promise<unknown>): Promise<BackupError> =>
  asked.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => error as BackupError,
  );
const count = (url: string) =>
  withConnection(url, async (sql) => Number((await sql`SELECT count(*) AS n FROM kept`)[0]?.n));

describe('KEEP-20 a backup of a home that is served', () => {
  test('has all that was committed before it, while others write, and starts elsewhere', async () => {
    await withConnection(server.url, (sql) => sql`CREATE TABLE kept (n INT, filler TEXT)`);
    let written = 0;
    let isOver = false;
    const writing = withConnection(server.url, async (sql) => {
      while (!isOver) {
        await sql`INSERT INTO kept SELECT n, repeat('x', 1000) FROM generate_series(1, 50) n`;
        written += 50;
      }
    });
    while (written < 500) await count(server.url);
    const before = written;
    const folder = join(place(), 'one');
    const made = await backUp(folder);
    isOver = true;
    await writing;
    expect(made).toMatchObject({ home, postgres: { major: 18 } });
    const to = join(place(), 'home');
    await putBack(folder, to);
    const restored = await startPostgres({ home: to, port: 0 });
    const found = await count(restored.url);
    await restored.stop();
    expect(found).toBeGreaterThanOrEqual(before);
    expect(found).toBeLessThanOrEqual(written);
    expect(found % 50).toBe(0);
    expect(readFileSync(join(to, 'temporal.key'), 'utf8')).toBe('key of the payloads');
    expect(statSync(join(to, 'temporal.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(to, 'proofs/g-1/link')).mode & 0o777).toBe(0o755);
    for (const name of ['bin', 'temporal.db', 'api.log', 'run.json', 'up.lock', 'restoring'])
      expect([name, existsSync(join(to, name))]).toEqual([name, false]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const slots = await withConnection(
      server.url,
      (sql) => sql`SELECT 1 FROM pg_replication_slots`,
    );
    expect(slots.length).toBe(0);
  });
});

describe('KEEP-21 a backup of a home that nothing serves', () => {
  test('starts the database for as long as it takes, and leaves it stopped', async () => {
    const still = await homeWithCluster('goalkeeper-still-');
    const first = await startPostgres({ home: still, port: 0 });
    await migrate(first.url);
    await first.stop();
    const folder = join(place(), 'two');
    await backUp(folder, still);
    expect(existsSync(join(still, 'up.lock'))).toBe(false);
    const to = join(place(), 'home');
    await putBack(folder, to);
    const restored = await startPostgres({ home: to, port: 0 });
    const [row] = await withConnection(
      restored.url,
      (sql) => sql`SELECT count(*)::int AS n FROM goal`,
    );
    await restored.stop();
    expect(row).toEqual({ n: 0 });
    rmSync(still, { recursive: true });
  });
});

describe('KEEP-22 what can not be is refused, with the way out, and changes nothing', () => {
  let folder: string;
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'goalkeeper-backup-')), 'made');
    await backUp(folder);
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  /** A copy whose head says something else. */
  const otherHead = (change: object): string => {
    const copy = place();
    const head = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
    writeFileSync(join(copy, 'backup.json'), JSON.stringify({ ...head, ...change }));
    writeFileSync(join(copy, 'files.sha256'), readFileSync(join(folder, 'files.sha256')));
    return copy;
  };

  test('places that are none', async () => {
    expect(await faultOf(backUp(join(home, 'inside')))).toMatchObject({ code: 'place' });
    expect(await faultOf(backUp(folder))).toMatchObject({
      ...{ code: 'place', wayOut: expect.stringContaining('not there yet') },
    });
    const empty = place();
    expect(await faultOf(backUp(join(place(), 'x'), empty))).toMatchObject({
      ...{ code: 'nothing_here', wayOut: expect.stringContaining('GOALKEEPER_HOME') },
    });
    const full = place();
    writeFileSync(join(full, 'mine'), '');
    expect(await faultOf(putBack(folder, full))).toMatchObject({
      ...{ code: 'place', message: expect.stringContaining('mine') },
    });
    expect(readdirSync(full)).toEqual(['mine']);
    expect(await faultOf(putBack(folder, join(folder, 'home')))).toMatchObject({ code: 'place' });
  });

  test('a home that somebody serves', async () => {
    expect(await faultOf(putBack(folder, home))).toMatchObject({ name: 'AlreadyRunning' });
  });

  test('what is no backup, is newer, of another PostgreSQL, or was altered', async () => {
    const to = join(place(), 'home');
    expect(await faultOf(putBack(place(), to))).toMatchObject({ code: 'no_backup' });
    const { postgres } = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
    const faults = [
      [{ version: 2, by: '9.9.9' }, 'too_new', '9.9.9'],
      [{ postgres: { ...postgres, schema: '9999_later' } }, 'too_new', '9999_later'],
      [{ postgres: { ...postgres, major: 19 } }, 'other_postgres', 'PostgreSQL 19'],
      [{ sha256: '0'.repeat(64) }, 'altered', 'files.sha256'],
      [{ files: 'many' }, 'altered', 'files'],
    ] as const;
    for (const [change, code, said] of faults) {
      expect(await faultOf(putBack(otherHead(change), to))).toMatchObject({
        ...{ code, message: expect.stringContaining(said), wayOut: expect.any(String) },
      });
      expect(existsSync(to)).toBe(false);
    }
  });

  test.skipIf(!canMount)('a disk with too little space', async () => {
    const disk = mountSmallDisk(40);
    try {
      const fault = await faultOf(backUp(join(disk.path, 'new')));
      expect(fault).toMatchObject({
        code: 'space',
        message: expect.stringMatching(/needs \d+ MB/),
      });
      expect(await faultOf(putBack(folder, join(disk.path, 'home')))).toMatchObject({
        code: 'space',
      });
      expect(readdirSync(disk.path).filter((name) => name !== 'home')).toEqual([]);
    } finally {
      await disk.remove();
    }
  });
});

describe('KEEP-23 a backup that was altered, or that was put back by half', () => {
  test('is not served: up says so, and the same call begins it again', async () => {
    const folder = join(place(), 'made');
    await backUp(folder);
    const kept = readFileSync(join(folder, 'postgres/PG_VERSION'));
    appendFileSync(join(folder, 'postgres/PG_VERSION'), ' ');
    const to = join(place(), 'home');
    expect(await faultOf(putBack(folder, to))).toMatchObject({
      ...{ code: 'altered', message: expect.stringContaining('postgres/PG_VERSION') },
    });
    await expect(startPostgres({ home: to, port: 0 })).rejects.toMatchObject({
      ...{ name: 'StackError', wayOut: expect.stringContaining('goalkeeper restore') },
    });
    writeFileSync(join(folder, 'postgres/PG_VERSION'), kept);
    rmSync(join(folder, 'home/temporal.key'));
    expect(await faultOf(putBack(folder, to))).toMatchObject({
      ...{ code: 'altered', message: expect.stringContaining('temporal.key is gone') },
    });
    writeFileSync(join(folder, 'home/temporal.key'), 'key of the payloads');
    await putBack(folder, to);
    const restored = await startPostgres({ home: to, port: 0 });
    expect(await count(restored.url)).toBeGreaterThan(0);
    await restored.stop();
  });
});
