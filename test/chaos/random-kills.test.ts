import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertNoOrphans, wrongOf } from './nothing-lost.ts';
import { meddle } from './people.ts';
import { type ChaosGoal, type ChaosWorld, openChaosWorld } from './scenario.ts';
import { LIMITED, OVERLOADED, STEERED } from './script.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';
import { tally } from './tally.ts';

/** `CHAOS_KILLS`, `CHAOS_WORKERS` and `CHAOS_SEED` repeat a run. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 200);
const WORKERS = Number(process.env.CHAOS_WORKERS ?? 3);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const GOALS_AT_ONCE = 20;
const LONGEST_LIFE_MS = 2500;
/** Longer than a heartbeat may be late, so that what it ran is given out again meanwhile. */
const FROZEN_MS = 7000;
const FROZEN_SHARE = 0.05;

let world: ChaosWorld;
beforeAll(async () => {
  world = await openChaosWorld();
});
afterAll(() => world.close());

/** mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const waitFor = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test(`${KILLS} kills of ${WORKERS} workers at random moments lose and double nothing, with ${GOALS_AT_ONCE} goals in all phases and people among them`, async () => {
  console.log(`CHAOS_SEED=${SEED}`);
  const random = randomFrom(SEED);
  const moodsOf = () => [STEERED, OVERLOADED, LIMITED].filter(() => random() < 0.3);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => superviseWorker(world)));
  const finished: ChaosGoal[] = [];
  let isOver = false;

  /** One goal after the other, so that there are always some in every phase. */
  const keepGoing = async () => {
    while (!isOver) {
      const goal = await world.startChaos(moodsOf());
      await meddle(world, goal, random);
      finished.push(goal);
    }
  };
  const goals = Array.from({ length: GOALS_AT_ONCE }, keepGoing);
  const failed = Promise.all(goals);
  let begun = 0;
  let kills = 0;
  let frozen = 0;
  /** Each worker dies by itself: now one goes on with what the other ran, now both are gone. */
  const keepKilling = async (worker: SupervisedWorker) => {
    for (; begun < KILLS; kills += 1) {
      begun += 1;
      await Promise.race([waitFor(random() * LONGEST_LIFE_MS), failed]);
      if (random() < FROZEN_SHARE) {
        frozen += 1;
        worker.kill('SIGSTOP');
        await Promise.race([waitFor(FROZEN_MS), failed]);
        worker.kill('SIGCONT');
        await Promise.race([waitFor(random() * LONGEST_LIFE_MS), failed]);
      }
      worker.kill('SIGKILL');
      await worker.untilRunning();
    }
  };
  await Promise.all(workers.map(keepKilling));
  isOver = true;
  await failed;
  await Promise.all(workers.map((worker) => worker.stop()));
  const found = (await Promise.all(finished.map((goal) => wrongOf(world, goal)))).flat();
  tally({
    ...{ play: 'random-kills', deaths: { worker: kills }, frozen, looked: finished.length },
    wrong: found.map(({ wrong }) => wrong),
  });
  expect(found).toEqual([]);
  await assertNoOrphans(world);
  console.log(`${kills} kills, ${frozen} times frozen, ${finished.length} goals complete`);
  expect(finished.length).toBeGreaterThanOrEqual(GOALS_AT_ONCE);
}, 3_600_000);
