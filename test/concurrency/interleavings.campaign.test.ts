import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { letLoose, plans } from './clients.ts';
import { explainAll } from './explain.ts';
import { restless } from './restless.ts';

/** `GOALKEEPER_INTERLEAVINGS=200 GOALKEEPER_SEED=1 npm run test:long -- test/concurrency`. */
const RUNS = Number(process.env.GOALKEEPER_INTERLEAVINGS ?? 6);
const SEED = Number(process.env.GOALKEEPER_SEED ?? Date.now() % 1_000_000_000);
const AT_ONCE = 2;

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script: restless });
});
afterAll(() => world.close());

let threads = 0;

async function explainOne(planned: Parameters<typeof letLoose>[2]): Promise<void> {
  threads += 1;
  const thread = { threadId: `t-${threads}`, workspace: await world.workspace({}) };
  const sent = await letLoose(world, thread, planned);
  await explainAll(world.database, thread.threadId, sent);
  expect(sent.some(({ answer }) => answer.status === 200)).toBe(true);
}

test(
  `M1 M3 M4 M11 every answer to eight clients at once is true in the order of the revisions (seed ${SEED})`,
  async () => {
    const property = fc.asyncProperty(fc.tuple(plans, plans), async (both) => {
      await Promise.all(both.map(explainOne));
    });
    await fc.assert(property, {
      numRuns: Math.ceil(RUNS / AT_ONCE),
      seed: SEED,
      endOnFailure: true,
    });
  },
  300_000 + RUNS * 60_000,
);
