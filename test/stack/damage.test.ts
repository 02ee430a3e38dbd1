import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf } from '../../src/cli/failure.ts';
import { writePrivateFile } from '../../src/process/private-file.ts';
import { startPostgres } from '../../src/stack/postgres.ts';
import { startTemporal } from '../../src/stack/temporal.ts';
import { compiled } from '../support/compiled.ts';
import { SMALL_DISK, testWith } from '../support/needs.ts';
import { CLI_FOLDER } from '../support/servers.ts';
import { homeWithCluster } from './homes.ts';

let home: string;

beforeEach(async () => {
  home = await homeWithCluster('goalkeeper-damage-');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const failure = async (start: Promise<unknown>) => failureOf(await start.catch((error) => error));
const postgres = () => failure(startPostgres({ home, port: 0 }));
const temporal = () =>
  failure(startTemporal({ home, cliFolder: CLI_FOLDER, port: 0, onProgress: () => {} }));

test('a home that was moved with its database serves it from its new place', async () => {
  writePrivateFile(join(home, 'postgres-folder'), `${join(home, 'postgres')}-before\n`);
  const moved = await startPostgres({ home, port: 0 });
  await moved.stop();
  expect(moved.url).toContain('/goalkeeper');
});

test('F24 a cut control file is refused with the log and the way out, and nothing serves', async () => {
  truncateSync(join(home, 'postgres', 'global', 'pg_control'), 10);
  const { what, wayOut, exitCode } = await postgres();
  expect(what).toMatch(/pg_control/);
  expect(wayOut).toContain(join(home, 'postgres.log'));
  expect(exitCode).toBe(3);
});

test('F24 databases that are gone are refused at once', async () => {
  rmSync(join(home, 'postgres', 'base'), { recursive: true });
  expect((await postgres()).what).toMatch(/does not exist|could not/);
});

test('F24 a database that has served and is gone is never replaced by an empty one', async () => {
  rmSync(join(home, 'postgres'), { recursive: true });
  writePrivateFile(join(home, 'temporal.db'), '');
  const { what, wayOut } = await postgres();
  expect(what).toMatch(/damaged or gone/);
  expect(wayOut).toMatch(/backup/);
  expect(readdirSync(home)).not.toContain('postgres');
});

test('F24 a cluster without its version file is left as it is', async () => {
  rmSync(join(home, 'postgres', 'PG_VERSION'));
  expect((await postgres()).what).toMatch(/damaged or gone/);
  expect(readdirSync(join(home, 'postgres'))).toContain('base');
});

test('F24 a record of the database that names a foreign folder is refused', async () => {
  rmSync(join(home, 'postgres'), { recursive: true });
  writePrivateFile(join(home, 'postgres-folder'), '/nowhere/else\n');
  expect((await postgres()).what).toContain('/nowhere/else');
});

test("F24 garbage in Temporal's file is refused, and goals need not be lost with it", async () => {
  writePrivateFile(join(home, 'temporal.db'), 'no database at all'.repeat(300));
  const { what, wayOut } = await temporal();
  expect(what).toMatch(/file is not a database/);
  expect(wayOut).toMatch(/paused\/recovery/);
});

testWith(SMALL_DISK)('a full disk is named, with the home and the way out', () => {
  const full = join(home, 'full');
  mkdirSync(full);
  const main = compiled('src/cli/main.ts');
  const disk = ['--size', String(30 * 1024 * 1024), '--tmpfs', full];
  const { status, stderr } = spawnSync(
    'bwrap',
    ['--dev-bind', '/', '/', ...disk, process.execPath, main, 'up'],
    { env: { ...process.env, GOALKEEPER_HOME: join(full, 'home'), GOALKEEPER_PORT: '0' } },
  );
  expect(String(stderr)).toMatch(
    /No space is left for PostgreSQL in .*\n.*way out: Free some space/,
  );
  expect(status).toBe(3);
});
