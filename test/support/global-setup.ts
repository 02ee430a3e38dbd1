import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { programPath } from '../../src/sandbox/program-path.ts';
import { startPostgres } from '../../src/stack/postgres.ts';
import { startTemporal } from '../../src/stack/temporal.ts';
import { memoryFolder } from './memory-folder.ts';
import { NAMESPACES } from './namespaces.ts';
import { CLI_FOLDER, makeTemplate, spareTheDisk } from './servers.ts';

/** Each world of each process keeps up to forty. */
const MOST_CONNECTIONS = 500;

type Stop = () => Promise<void>;

/** A version manager's stand-in for Python takes longer to start than what the tests do with it. */
function preferRealPython(): void {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)']);
  const real = String(stdout ?? '').trim();
  const found = programPath('python3');
  if (!isAbsolute(real) || found === null || found === realpathSync(real)) return;
  process.env.PATH = `${dirname(real)}:${process.env.PATH}`;
}

/** One Postgres and one Temporal for the whole run, unless the environment names others. */
export async function setup(): Promise<Stop> {
  preferRealPython();
  const home = memoryFolder('goalkeeper-test-');
  // Of several projects only the first starts servers here; root's PostgreSQL has to get to all.
  chmodSync(home, 0o711);
  process.env.GOALKEEPER_TEST_FOLDER ??= home;
  const stops = [async () => rmSync(home, { recursive: true, force: true })];
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    stops.push(await providePostgres(home));
    stops.push(await provideTemporal(home));
    return stopAll;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function providePostgres(home: string): Promise<Stop> {
  const given = process.env.GOALKEEPER_TEST_DATABASE_URL;
  if (given) {
    await makeTemplate(given);
    return async () => undefined;
  }
  const postgres = await startPostgres({ home, port: 0, connections: MOST_CONNECTIONS });
  process.env.GOALKEEPER_TEST_DATABASE_URL = postgres.url;
  await spareTheDisk(postgres.url);
  await makeTemplate(postgres.url);
  return async () => {
    delete process.env.GOALKEEPER_TEST_DATABASE_URL;
    await postgres.stop();
  };
}

async function provideTemporal(home: string): Promise<Stop> {
  if (process.env.GOALKEEPER_TEST_TEMPORAL) return async () => undefined;
  // On one processor it takes some 6 % less of it, and the tests ask for a quarter of one.
  process.env.GOMAXPROCS = '1';
  const temporal = await startTemporal({
    home,
    port: 0,
    cliFolder: CLI_FOLDER,
    namespaces: NAMESPACES,
    // Each namespace would get workers of the server's own, for schedules that nobody has.
    settings: ['worker.perNamespaceWorkerCount=0'],
    onProgress: console.log,
  });
  delete process.env.GOMAXPROCS;
  process.env.GOALKEEPER_TEST_TEMPORAL = temporal.address;
  process.env.GOALKEEPER_TEST_NAMESPACES = mkdtempSync(join(home, 'namespaces-'));
  return async () => {
    delete process.env.GOALKEEPER_TEST_TEMPORAL;
    await temporal.stop();
  };
}
