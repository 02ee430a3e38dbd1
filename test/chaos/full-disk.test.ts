import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { makeTemplate } from '../support/servers.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type ChaosWorld, openChaosWorld } from './scenario.ts';
import { anyOf, playStruck } from './struck.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const TIMES = Number(process.env.CHAOS_KILLS ?? 20);
const DISK_MB = 600;
const WAL_MB = 96;

/** PostgreSQL's own. */
let disk: SmallDisk;
let postgres: RunningPostgres;
let world: ChaosWorld;
let worker: SupervisedWorker;

const start = (port: number) => startPostgres({ home: disk.path, port, maxWalMb: WAL_MB });

beforeAll(async () => {
  if (!canMount) return;
  disk = mountSmallDisk(DISK_MB);
  postgres = await start(0);
  const isThere = existsSync(join(disk.path, 'postgres', 'PG_VERSION'));
  expect(isThere, 'PostgreSQL is on that disk').toBe(true);
  await makeTemplate(postgres.url);
  process.env.GOALKEEPER_TEST_DATABASE_URL = postgres.url;
  world = await openChaosWorld();
  worker = await superviseWorker(world);
}, 60_000);
afterAll(async () => {
  await disk?.free();
  await worker?.stop();
  await world?.close();
  await postgres?.stop();
  await disk?.remove();
}, 60_000);

test.skipIf(!canMount)(
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
      await disk.fillFor(anyOf(2000, 10_000));
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
