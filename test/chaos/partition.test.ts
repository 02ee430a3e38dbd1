import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { addressIn, type Cable, layCable, throughCable } from '../support/cable.ts';
import { type ChaosWorld, openChaosWorld } from './scenario.ts';
import { anyOf, playStruck } from './struck.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const TIMES = Number(process.env.CHAOS_KILLS ?? 20);

let world: ChaosWorld;
let worker: SupervisedWorker;
/** From the worker to PostgreSQL and to Temporal. */
let cables: readonly [Cable, Cable];

beforeAll(async () => {
  world = await openChaosWorld();
  const url = world.environment.DATABASE_URL ?? '';
  cables = [await layCable(addressIn(url)), await layCable(world.temporal.address)];
  worker = await superviseWorker(world, null, {
    DATABASE_URL: throughCable(url, cables[0]),
    TEMPORAL_ADDRESS: `127.0.0.1:${cables[1].port}`,
  });
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await world?.close();
  for (const cable of cables ?? []) await cable.close();
}, 60_000);

test(`CHAOS-3 the network between a worker and its servers falls silent ${TIMES} times, and goals lose and double nothing`, async () => {
  let silent = 0;
  const strike = async () => {
    await sleep(anyOf(5000, 10_000));
    const [database, temporal] = cables;
    const struck = [[database], [temporal], [database, temporal]][silent % 3] ?? [];
    for (const cable of struck) cable.silence();
    silent += 1;
    // Shorter and longer than a heartbeat may be late, and than a dead line takes to be found.
    await sleep(anyOf(2000, 20_000));
    for (const cable of struck) cable.mend();
  };
  await playStruck(world, worker, { times: TIMES, strike }, () => ({
    ...{ play: 'partitions', deaths: {}, silent },
  }));
}, 3_600_000);
