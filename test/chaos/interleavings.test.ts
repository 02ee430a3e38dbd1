import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CuttableProxy, startCuttableProxy } from '../api/cuttable-proxy.ts';
import { letLoose, plans } from '../concurrency/clients.ts';
import { explainAll } from '../concurrency/explain.ts';
import { restless } from '../concurrency/restless.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** `CHAOS_INTERLEAVINGS` and `CHAOS_SEED` repeat a run. */
const RUNS = Number(process.env.CHAOS_INTERLEAVINGS ?? 3);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000_000);
const LONGEST_LIFE_MS = 9000;
const LONGEST_CONNECTION_MS = 4000;
/** Storms and calms take turns: what was asked in a storm has to be answered in the calm behind it. */
const STORM_MS = 40_000;

let world: GoalWorld;
let worker: SupervisedWorker;
/** Between the clients and the API. */
let wire: CuttableProxy;
beforeAll(async () => {
  world = await openGoalWorld({ script: restless, worker: false });
  worker = await superviseWorker(world);
  const { hostname, port } = new URL(world.url);
  wire = await startCuttableProxy({ host: hostname, port: Number(port) });
});
afterAll(async () => {
  await worker.stop();
  await wire.cut();
  await world.close();
});

/** Until told otherwise; returns how often it struck. */
function keepOn(longestMs: number, strike: () => Promise<void>): { stop(): Promise<number> } {
  let isOver = false;
  let strikes = 0;
  const striking = (async () => {
    while (!isOver) {
      await delay(Math.random() * longestMs);
      if (isCalm()) continue;
      await strike();
      strikes += 1;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await striking;
      return strikes;
    },
  };
}

const begun = Date.now();
const isCalm = () => (Date.now() - begun) % (2 * STORM_MS) > STORM_MS;

const killAndAwait = async () => {
  worker.kill('SIGKILL');
  await worker.untilRunning();
};
const cutAndMend = async () => {
  await wire.cut();
  await wire.restore();
};

let threads = 0;

async function explainOne(planned: Parameters<typeof letLoose>[2]): Promise<void> {
  threads += 1;
  const thread = { threadId: `t-${threads}`, workspace: await world.workspace({}) };
  const sent = await letLoose({ url: `http://${wire.address}` }, thread, planned);
  await explainAll(world.database, thread.threadId, sent);
  expect(sent.some(({ answer }) => answer.status === 200)).toBe(true);
}

test(
  `M1 M3 M4 M11 the same is true while workers are killed and connections are cut (seed ${SEED})`,
  async () => {
    const kills = keepOn(LONGEST_LIFE_MS, killAndAwait);
    const cuts = keepOn(LONGEST_CONNECTION_MS, cutAndMend);
    try {
      const property = fc.asyncProperty(fc.tuple(plans, plans), async (both) => {
        await Promise.all(both.map(explainOne));
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    } finally {
      const struck = await Promise.all([kills.stop(), cuts.stop()]);
      console.log(`${struck[0]} kills, ${struck[1]} cuts, ${threads} threads`);
      expect(Math.min(...struck)).toBeGreaterThan(0);
    }
  },
  120_000 + RUNS * 120_000,
);
