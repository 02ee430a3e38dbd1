import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { makeTemplate } from '../support/servers.ts';
import { type ChaosWorld, openChaosWorld } from './scenario.ts';
import { anyOf, playStruck } from './struck.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const TIMES = Number(process.env.CHAOS_KILLS ?? 20);
const DISK_MB = 600;
const WAL_MB = 96;

const isRoot = process.getuid?.() === 0;

/** PostgreSQL's own disk, which is small. */
let disk: string;
let postgres: RunningPostgres;
let world: ChaosWorld;
let worker: SupervisedWorker;

const start = (port: number) => startPostgres({ home: disk, port, maxWalMb: WAL_MB });

beforeAll(async () => {
  if (!isRoot) return;
  disk = mkdtempSync(join(tmpdir(), 'goalkeeper-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'goalkeeper', disk]);
  postgres = await start(0);
  expect(existsSync(join(disk, 'postgres', 'PG_VERSION')), 'it is on that disk').toBe(true);
  await makeTemplate(postgres.url);
  process.env.GOALKEEPER_TEST_DATABASE_URL = postgres.url;
  world = await openChaosWorld();
  worker = await superviseWorker(world);
}, 60_000);
afterAll(async () => {
  if (!isRoot) return;
  await worker?.stop();
  await world?.close();
  await postgres?.stop();
  execFileSync('umount', [disk]);
  await rm(disk, { recursive: true });
}, 60_000);

/** Takes what is free, and what becomes free, until it is told to give it back. */
async function fillFor(milliseconds: number): Promise<void> {
  const names: string[] = [];
  for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(50)) {
    const { bavail, bsize } = await statfs(disk);
    if (bavail === 0) continue;
    const name = join(disk, `filler-${names.length}`);
    names.push(name);
    execFileSync('fallocate', ['-l', String(bavail * bsize), name], { stdio: 'pipe' });
  }
  for (const name of names) await rm(name);
}

test.skipIf(!isRoot)(
  `CHAOS-4 PostgreSQL's disk is full ${TIMES} times, and goals lose and double nothing`,
  async () => {
    let full = 0;
    let deaths = 0;
    const strike = async () => {
      await sleep(anyOf(3000, 8000));
      let isDead = false;
      void postgres.exited.then(() => {
        isDead = true;
      });
      await fillFor(anyOf(2000, 10_000));
      full += 1;
      // It ends where it can't write its log, and does not come back while it can't recover.
      await sleep(500);
      if (!isDead) return;
      deaths += 1;
      postgres = await start(postgres.port);
    };
    await playStruck(world, worker, { times: TIMES, strike }, () => ({
      ...{ play: 'full-disk', deaths: { postgres: deaths }, full },
    }));
  },
  3_600_000,
);
