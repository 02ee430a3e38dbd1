import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { BackupError } from '../../src/stack/backup/backup-format.ts';
import { makeBackup } from '../../src/stack/backup/make-backup.ts';
import { restoreBackup } from '../../src/stack/backup/restore-backup.ts';
import { lockHome } from '../../src/stack/home-lock.ts';
import { migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { homeWithCluster } from './homes.ts';

const onProgress = () => {};
const neverEnded = new AbortController().signal;

/** A home as `up` would serve it, with what else lies in one, for all tests of a file. */
export function openServedHome() {
  let home = '';
  let server: RunningPostgres;
  let unlock: () => void;
  const places: string[] = [];
  beforeAll(async () => {
    home = await homeWithCluster('goalkeeper-kept-');
    server = await startPostgres({ home, port: 0 });
    unlock = lockHome(home, () => null);
    await migrate(server.url);
    await withConnection(server.url, (sql) => sql`CREATE TABLE kept (n INT, filler TEXT)`);
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
  return {
    home: () => home,
    url: () => server.url,
    /** A folder of the test that runs. */
    place: (): string => {
      const folder = memoryFolder('goalkeeper-backup-');
      places.push(folder);
      return folder;
    },
    backUp: (folder: string, of = home) =>
      makeBackup({ home: of, folder, hasDatabase: true, onProgress, signal: neverEnded }),
  };
}

export const putBack = (folder: string, to: string) =>
  restoreBackup({ folder, home: to, onProgress, signal: neverEnded });

export const faultOf = (asked: Promise<unknown>): Promise<BackupError> =>
  asked.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => error as BackupError,
  );

export const count = (url: string): Promise<number> =>
  withConnection(url, async (sql) => Number((await sql`SELECT count(*) AS n FROM kept`)[0]?.n));
