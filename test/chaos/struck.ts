import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { assertNoOrphans, wrongOf } from './nothing-lost.ts';
import { type ChaosGoal, type ChaosWorld, seeThrough } from './scenario.ts';
import { logFolder, type SupervisedWorker } from './supervisor.ts';
import { type Tally, tally, type Wrong } from './tally.ts';

const GOALS_AT_ONCE = 6;
/** Of a goal among strikes. */
const PATIENCE_MS = 300_000;
/** A worker that is told to stop is gone by then. */
const ENDS_WITHIN_MS = 30_000;

/** Evenly between two times. */
export const anyOf = (shortest: number, longest: number): number =>
  shortest + Math.random() * (longest - shortest);

/** While a server is away the API says so; a person tries again. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/**
 * Goals go, one behind the other in each of six lanes, while something strikes; then each account is
 * looked at.
 * @param strike ends once what it struck is whole again
 */
export async function playStruck(
  world: ChaosWorld,
  worker: SupervisedWorker,
  { times, strike }: { readonly times: number; readonly strike: () => Promise<unknown> },
  told: () => Pick<Tally, 'play' | 'deaths'> & Partial<Tally>,
): Promise<void> {
  const finished: ChaosGoal[] = [];
  let isOver = false;
  const keepGoing = async () => {
    while (!isOver) {
      const goal = await patiently(() => world.startChaos());
      await patiently(() => seeThrough(world, goal.goalId, PATIENCE_MS));
      finished.push(goal);
    }
  };
  const count = (wrong: readonly Wrong[]) =>
    tally({ frozen: 0, ...told(), looked: finished.length, wrong });
  const goals = Promise.all(Array.from({ length: GOALS_AT_ONCE }, keepGoing));
  try {
    for (let struck = 0; struck < times; struck += 1) {
      await Promise.race([strike(), goals]);
    }
    isOver = true;
    await goals;
  } catch (error) {
    // What was struck until then counts, and the goal that came to no end.
    count(['stuck']);
    await tellWaits(world, worker);
    throw error;
  }
  const found = (await Promise.all(finished.map((goal) => wrongOf(world, goal)))).flat();
  count(found.map(({ wrong }) => wrong));
  expect(found).toEqual([]);
  expect(worker.starts(), 'the worker outlived each strike').toBe(1);
  const begun = Date.now();
  await worker.stop();
  expect(Date.now() - begun, 'and it ends when it is told to').toBeLessThan(ENDS_WITHIN_MS);
  await assertNoOrphans(world);
  console.log(`struck ${times} times, ${finished.length} goals complete`);
  expect(finished.length).toBeGreaterThanOrEqual(GOALS_AT_ONCE);
}

/** What the worker and the sessions of its database wait for, beside the logs. */
async function tellWaits(world: ChaosWorld, worker: SupervisedWorker): Promise<void> {
  worker.kill('SIGUSR2');
  const sessions = await world.database`
    SELECT pid, application_name, state, wait_event_type, wait_event, now() - xact_start AS open_for,
      now() - state_change AS so_since, pg_blocking_pids(pid) AS blocked_by, query
    FROM pg_stat_activity WHERE datname = current_database()`;
  const attempts = await world.database`SELECT * FROM attempt`;
  const path = join(logFolder(), 'waits.json');
  writeFileSync(path, JSON.stringify({ sessions, attempts }, null, 1));
  console.log(`what it waits for stands in ${logFolder()}`);
}
