import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { makeTemplate } from '../support/servers.ts';
import { type ChaosWorld, openChaosWorld } from './scenario.ts';
import { anyOf, playStruck } from './struck.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';
import { children } from './up-kills.ts';

const KILLS = Number(process.env.CHAOS_KILLS ?? 40);

/** A server of this file alone, because it is killed. */
let home: string;
let postgres: RunningPostgres;
let world: ChaosWorld;
let worker: SupervisedWorker;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  postgres = await startPostgres({ home, port: 0 });
  await makeTemplate(postgres.url);
  process.env.GOALKEEPER_TEST_DATABASE_URL = postgres.url;
  world = await openChaosWorld();
  worker = await superviseWorker(world);
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await world?.close();
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
}, 60_000);

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended by itself.
  }
}

test(`CHAOS-2 PostgreSQL is killed ${KILLS} times, every 5 to 10 s, and goals lose and double nothing`, async () => {
  let kills = 0;
  const strike = async () => {
    await sleep(anyOf(5000, 10_000));
    const { pid, exited } = postgres;
    for (const each of [pid, ...(await children(pid))]) endAtOnce(each);
    await exited;
    kills += 1;
    postgres = await startPostgres({ home, port: postgres.port });
  };
  await playStruck(world, worker, { times: KILLS, strike }, () => ({
    play: 'postgres-killed',
    deaths: { postgres: kills },
  }));
}, 3_600_000);
