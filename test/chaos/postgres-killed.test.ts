import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../src/stack/postgres.ts';
import { makeTemplate } from '../support/servers.ts';
import { assertNoOrphans, wrongOf } from './nothing-lost.ts';
import { type ChaosGoal, type ChaosWorld, openChaosWorld, seeThrough } from './scenario.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';
import { tally } from './tally.ts';

const KILLS = Number(process.env.CHAOS_KILLS ?? 40);
const GOALS_AT_ONCE = 6;
const SHORTEST_LIFE_MS = 5000;
const LONGEST_LIFE_MS = 10_000;
/** Of a goal among kills. */
const PATIENCE_MS = 240_000;

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
  await world?.close();
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
}, 60_000);

/** While PostgreSQL is away the API says so; a person tries again, and a request has its key. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

test(`PostgreSQL is killed ${KILLS} times, every 5 to 10 s, and goals lose and double nothing`, async () => {
  const finished: ChaosGoal[] = [];
  let isOver = false;
  const keepGoing = async () => {
    while (!isOver) {
      const goal = await patiently(() => world.startChaos());
      await patiently(() => seeThrough(world, goal.goalId, PATIENCE_MS));
      finished.push(goal);
    }
  };
  const failed = Promise.all(Array.from({ length: GOALS_AT_ONCE }, keepGoing));
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const life = SHORTEST_LIFE_MS + Math.random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS);
    await Promise.race([sleep(life), failed]);
    process.kill(postgres.pid, 'SIGKILL');
    await postgres.exited;
    postgres = await startPostgres({ home, port: postgres.port });
  }
  isOver = true;
  await failed;
  expect(worker.starts(), 'the worker outlived each death').toBe(1);
  const begun = Date.now();
  await worker.stop();
  const found = (await Promise.all(finished.map((goal) => wrongOf(world, goal)))).flat();
  tally({
    ...{ play: 'postgres-killed', deaths: { postgres: kills }, frozen: 0, looked: finished.length },
    wrong: found.map(({ wrong }) => wrong),
  });
  expect(found).toEqual([]);
  expect(Date.now() - begun, 'and it ends when it is told to').toBeLessThan(30_000);
  await assertNoOrphans(world);
  console.log(`${kills} kills, ${finished.length} goals complete`);
  expect(finished.length).toBeGreaterThanOrEqual(GOALS_AT_ONCE);
}, 3_600_000);
