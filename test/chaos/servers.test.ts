import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { type RunningTemporal, startTemporal } from '../../src/stack/temporal.ts';
import { CLI_FOLDER, makeTemplate } from '../support/servers.ts';
import { assertNothingLost } from './nothing-lost.ts';
import { type ChaosWorld, openChaosWorld, seeThrough } from './scenario.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Servers of this file alone, because it kills them. */
let home: string;
let postgres: RunningPostgres;
let temporal: RunningTemporal;
let world: ChaosWorld;
let worker: SupervisedWorker;

const temporalOptions = () => ({
  home,
  cliFolder: CLI_FOLDER,
  onProgress: () => {},
  namespaces: ['test-1'],
});

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  postgres = await startPostgres({ home, port: 0 });
  temporal = await startTemporal({ ...temporalOptions(), port: 0 });
  await makeTemplate(postgres.url);
  Object.assign(process.env, {
    GOALKEEPER_TEST_DATABASE_URL: postgres.url,
    GOALKEEPER_TEST_TEMPORAL: temporal.address,
    GOALKEEPER_TEST_NAMESPACES: await mkdtemp(join(home, 'namespaces-')),
  });
  world = await openChaosWorld();
  worker = await superviseWorker(world);
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await world?.close();
  await temporal?.stop();
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
}, 60_000);

const someRows = async (goalId: string) =>
  (await world.database`SELECT 1 FROM ledger WHERE goal_id = ${goalId}`).count > 1;

async function untilUnderWay(goalId: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await someRows(goalId)); ) {
    if (Date.now() > deadline) throw new Error('the goal did not begin');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** While a server is away, the API says so; a person tries again. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + 90_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

test('goals go on by themselves after Temporal was killed and came back', async () => {
  const goal = await world.startChaos();
  await untilUnderWay(goal.goalId);
  process.kill(temporal.pid, 'SIGKILL');
  await temporal.exited;
  temporal = await startTemporal({ ...temporalOptions(), port: temporal.port });
  await patiently(() => seeThrough(world, goal.goalId, 90_000));
  await assertNothingLost(world, goal);
}, 200_000);

test('goals go on by themselves after Postgres was killed and came back', async () => {
  const goal = await world.startChaos();
  await untilUnderWay(goal.goalId);
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.exited;
  postgres = await startPostgres({ home, port: postgres.port });
  await patiently(() => seeThrough(world, goal.goalId, 90_000));
  await patiently(() => assertNothingLost(world, goal));
}, 200_000);

test("goals whose execution Temporal's store lost are paused for recovery and resume from Postgres", async () => {
  const goal = await world.startChaos();
  await untilUnderWay(goal.goalId);
  await temporal.stop();
  for (const suffix of ['', '-wal', '-shm']) {
    await rm(join(home, `temporal.db${suffix}`), { force: true });
  }
  temporal = await startTemporal({ ...temporalOptions(), port: temporal.port });
  const paused = await patiently(() =>
    world.until(goal.goalId, ({ status }) => status === 'paused', 60_000),
  );
  expect(paused.pause?.reason).toBe('recovery');
  await patiently(() => seeThrough(world, goal.goalId, 90_000));
  await patiently(() => assertNothingLost(world, goal));
}, 240_000);
