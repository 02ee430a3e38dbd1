import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { startPostgres } from '../../src/stack/postgres.ts';
import { dataFolderOf } from '../../src/stack/postgres-cluster.ts';
import { serviceUser } from '../../src/stack/service-user.ts';
import { start } from '../cli/command-line.ts';
import { homeWithCluster } from './homes.ts';
import { count, faultOf, openServedHome, putBack } from './served-home.ts';

const served = openServedHome();

describe('KEEP-21 a backup of a home that nothing serves', () => {
  test('starts the database for as long as it takes, and leaves it stopped', async () => {
    const still = await homeWithCluster('goalkeeper-still-');
    const first = await startPostgres({ home: still, port: 0 });
    await migrate(first.url);
    await first.stop();
    const folder = join(served.place(), 'two');
    await served.backUp(folder, still);
    expect(existsSync(join(still, 'up.lock'))).toBe(false);
    const to = join(served.place(), 'home');
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

describe('KEEP-23 a backup that was altered, or that was put back by half', () => {
  test('is not served: up says so, and the same call begins it again', async () => {
    const folder = join(served.place(), 'made');
    await withConnection(served.url(), (sql) => sql`INSERT INTO kept VALUES (1, 'x')`);
    await served.backUp(folder);
    const kept = readFileSync(join(folder, 'postgres/PG_VERSION'));
    appendFileSync(join(folder, 'postgres/PG_VERSION'), ' ');
    const to = join(served.place(), 'home');
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

describe('KEEP-26 a backup that is interrupted', () => {
  test('leaves no server and no part of itself', async () => {
    const still = await homeWithCluster('goalkeeper-still-');
    const folder = join(served.place(), 'none');
    const backup = start(['backup', folder], { GOALKEEPER_HOME: still });
    await backup.untilErr('copying the database');
    backup.interrupt();
    expect((await backup.done).exitCode).toBe(130);
    expect([folder, `${folder}.partial`].filter((path) => existsSync(path))).toEqual([]);
    const data = dataFolderOf(still, serviceUser());
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
    rmSync(still, { recursive: true });
  });
});
