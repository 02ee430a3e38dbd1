import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { assertNothingLost, chaosScript, seeThrough, startChaosGoal } from './scenario.ts';
import { superviseWorker } from './supervisor.ts';

/** `CHAOS_KILLS` and `CHAOS_SEED` repeat a run. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 200);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const GOALS_AT_ONCE = 8;
const LONGEST_LIFE_MS = 2500;

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script: chaosScript, worker: false });
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

test(`${KILLS} kills at random moments lose and double nothing, with many goals in all phases`, async () => {
  console.log(`CHAOS_SEED=${SEED}`);
  const random = randomFrom(SEED);
  const worker = await superviseWorker(world);
  const finished: { goalId: string; path: string }[] = [];
  let isOver = false;

  /** One goal after the other, so that there are always some in every phase. */
  const keepGoing = async () => {
    while (!isOver) {
      const goal = await startChaosGoal(world);
      await seeThrough(world, goal.goalId, 300_000);
      finished.push(goal);
    }
  };
  const goals = Array.from({ length: GOALS_AT_ONCE }, keepGoing);
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    await waitFor(random() * LONGEST_LIFE_MS);
    worker.kill('SIGKILL');
    await worker.untilRunning();
  }
  isOver = true;
  await Promise.all(goals);
  await worker.stop();
  for (const goal of finished) await assertNothingLost(world, goal);
  console.log(`${kills} kills, ${finished.length} goals complete`);
  expect(finished.length).toBeGreaterThanOrEqual(GOALS_AT_ONCE);
}, 3_600_000);
