import { setTimeout as delay } from 'node:timers/promises';
import { workerMemory } from './paused.ts';
import { processorTime } from './processor-time.ts';
import { quantile, round } from './statistics.ts';
import { openWorld, type World } from './world.ts';

const AT_ONCE = 20;
/** A goal needs a tenth of a second of two cores to get as far as its wait; others may be at work. */
const SECONDS_A_GOAL = 0.2;
const SLACK_SECONDS = 120;
/** The engine gives memory back some time after the last work. */
const SETTLED_MS = 60_000;
const LONGEST_MS = 900_000;

/**
 * Goals that all wait for the same moment on one worker: what they cost while they wait, and how
 * long after that moment each one's wake is decided and recorded.
 */
export async function measureWaiting({ goals = 2000 } = {}) {
  const world = await openWorld();
  try {
    const idleMb = await workerMemory(world);
    const deadline = Math.ceil(Date.now() / 1000 + goals * SECONDS_A_GOAL + SLACK_SECONDS);
    for (let started = 0; started < goals; started += AT_ONCE) {
      const size = Math.min(AT_ONCE, goals - started);
      await Promise.all(Array.from({ length: size }, () => world.start(`waits ${deadline}`, 0)));
      await until(world, 'waiting', started + size);
    }
    const leftMs = deadline * 1000 - Date.now();
    if (leftMs < SETTLED_MS) throw new Error('the machine was too slow for the common deadline');
    await delay(Math.min(leftMs - 5000, SETTLED_MS));
    const waitingMb = await workerMemory(world);
    await delay(Math.max(0, deadline * 1000 - Date.now()));
    const before = await processorTime(world);
    await until(world, 'fired', goals);
    const wokenMb = await workerMemory(world);
    // Each wake leads to a turn that asks: the processors are theirs, too.
    await until(world, 'fired', goals, 'paused');
    const after = await processorTime(world);
    const aWake = (used: number) => round(used / goals);
    const late = await lateness(world, deadline);
    return {
      goals,
      idleMb,
      waitingMb,
      wokenMb,
      workerCpuMsAWake: aWake(after.worker - before.worker),
      postgresCpuMsAWake: aWake(after.postgres - before.postgres),
      temporalCpuMsAWake: aWake(after.temporal - before.temporal),
      kbAGoal: Math.round(((waitingMb - idleMb) * 1000) / goals),
      wakeP50Seconds: round(quantile(late, 0.5)),
      wakeP99Seconds: round(quantile(late, 0.99)),
      wakeMaxSeconds: round(Math.max(...late)),
    };
  } finally {
    await world.close();
  }
}

/** Seldom, and one question for all of them: looking costs the machine that is measured. */
async function until(
  { database }: World,
  state: string,
  count: number,
  status = '%',
): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    const [row] = await database<[{ count: number }]>`
      SELECT count(*)::int AS count FROM election JOIN goal USING (goal_id)
      WHERE state = ${state} AND status LIKE ${status}`;
    if (row.count >= count) return;
    if (Date.now() > end) throw new Error(`${row.count} of ${count} goals came to be ${state}`);
    await delay(250);
  }
}

/** Seconds between the common moment and the commit of each wake. */
async function lateness({ database }: World, deadline: number): Promise<number[]> {
  const rows = await database<{ late: number }[]>`
    SELECT extract(epoch FROM ended_at)::float8 - ${deadline}::float8 AS late
    FROM election WHERE state = 'fired'`;
  return rows.map(({ late }) => late);
}
