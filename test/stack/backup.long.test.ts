import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKUP_VERSION, writtenHead } from '../../src/stack/backup/backup-format.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { startPostgres } from '../../src/stack/postgres.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { count, faultOf, openServedHome, putBack } from './served-home.ts';

const served = openServedHome();

describe('KEEP-20 a backup of a home that is served', () => {
  test('has all that was committed before it, while others write, and starts elsewhere', async () => {
    let written = 0;
    let isOver = false;
    const writing = withConnection(served.url(), async (sql) => {
      while (!isOver) {
        await sql`INSERT INTO kept SELECT n, repeat('x', 1000) FROM generate_series(1, 50) n`;
        written += 50;
      }
    });
    while (written < 500) await count(served.url());
    const before = written;
    const folder = join(served.place(), 'one');
    const made = await served.backUp(folder);
    isOver = true;
    await writing;
    expect(made).toMatchObject({ home: served.home(), postgres: { major: 18 } });
    const to = join(served.place(), 'home');
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
      served.url(),
      (sql) => sql`SELECT 1 FROM pg_replication_slots`,
    );
    expect(slots.length).toBe(0);
  });
});

describe('KEEP-22 what can not be is refused, with the way out, and changes nothing', () => {
  let folder: string;
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'goalkeeper-backup-')), 'made');
    await served.backUp(folder);
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  /** A copy whose head says something else. */
  const otherHead = (change: object): string => {
    const copy = served.place();
    const head = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
    writeFileSync(join(copy, 'backup.json'), writtenHead({ ...head, ...change }));
    writeFileSync(join(copy, 'files.sha256'), readFileSync(join(folder, 'files.sha256')));
    return copy;
  };

  test('places that are none', async () => {
    expect(await faultOf(served.backUp(join(served.home(), 'inside')))).toMatchObject({
      code: 'place',
    });
    expect(await faultOf(served.backUp(folder))).toMatchObject({
      ...{ code: 'place', wayOut: expect.stringContaining('not there yet') },
    });
    const empty = served.place();
    expect(await faultOf(served.backUp(join(served.place(), 'x'), empty))).toMatchObject({
      ...{ code: 'nothing_here', wayOut: expect.stringContaining('GOALKEEPER_HOME') },
    });
    const full = served.place();
    writeFileSync(join(full, 'mine'), '');
    expect(await faultOf(putBack(folder, full))).toMatchObject({
      ...{ code: 'place', message: expect.stringContaining('mine') },
    });
    expect(readdirSync(full)).toEqual(['mine']);
    expect(await faultOf(putBack(folder, join(folder, 'home')))).toMatchObject({ code: 'place' });
  });

  test('a home that somebody serves', async () => {
    expect(await faultOf(putBack(folder, served.home()))).toMatchObject({ name: 'AlreadyRunning' });
  });

  test('what is no backup, is newer, of another PostgreSQL, or was altered', async () => {
    const to = join(served.place(), 'home');
    expect(await faultOf(putBack(served.place(), to))).toMatchObject({ code: 'no_backup' });
    const { postgres } = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
    const faults = [
      [{ version: BACKUP_VERSION + 1, by: '9.9.9' }, 'too_new', '9.9.9'],
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
      const fault = await faultOf(served.backUp(join(disk.path, 'new')));
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
