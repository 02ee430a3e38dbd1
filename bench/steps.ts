import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporalKeys } from '../src/sealed/keys.ts';
import { createTemporalClient } from '../src/temporal/connection.ts';
import { workflowIdOf } from '../src/temporal/names.ts';
import { measurePlainCommits } from './plain-commits.ts';
import { gaps, mean, median, quantile, round } from './statistics.ts';
import { asksAtLast, openWorld, type World } from './world.ts';

const SAMPLE = 50;
/** Steps of another goal before: the first steps of a new worker would measure the compiler. */
const WARM_UP = 300;

/** Overhead a step and bytes stored a step, over one long goal in one turn. */
export async function measureSteps(steps = 5000) {
  const world = await openWorld();
  try {
    const warm = await world.start(`steps ${WARM_UP}`);
    await world.until(warm.goalId, asksAtLast);
    const plainBefore = await measurePlainCommits(world.ownerDatabaseUrl);
    const before = await stored(world);
    const goal = await world.start(`steps ${steps}`);
    await world.until(goal.goalId, asksAtLast, steps * 40 + 60_000);
    const served = await world.served(goal.goalId);
    const after = await stored(world);
    const plainAfter = await measurePlainCommits(world.ownerDatabaseUrl);
    const overhead = gaps(served);
    const sampled = (from: number) => round(median(overhead.slice(from, from + SAMPLE)));
    const plain = (plainBefore.stepMs + plainAfter.stepMs) / 2;
    const [first, middle, last] = [0, steps / 2 - SAMPLE / 2, steps - SAMPLE].map(sampled);
    return {
      steps,
      stepMsFirst: first,
      stepMsMiddle: middle,
      stepMsLast: last,
      lastByFirst: round((last ?? 0) / (first ?? 1)),
      stepMsMedian: round(median(overhead)),
      stepMsMeanWithSlices: round(mean(overhead)),
      stepMsP95: round(quantile(overhead, 0.95)),
      betweenSlicesMs: round(median(overhead.filter((_, index) => index % SAMPLE === SAMPLE - 1))),
      plainStepMs: round(plain),
      stepByPlain: round(median(overhead) / plain),
      lastRequestKb: round(served.bytes / 1000, 0),
      modelMs: round(median(served.answered.map((at, index) => at - (served.asked[index] ?? 0)))),
      postgresBytesAStep: Math.round((after.postgres - before.postgres) / steps),
      walBytesAStep: Math.round((after.wal - before.wal) / steps),
      temporalFileBytesAStep: Math.round((after.temporalFile - before.temporalFile) / steps),
      ...(await historyOf(world, goal.goalId, steps)),
    };
  } finally {
    await world.close();
  }
}

async function stored({ database, home }: World) {
  const [row] = await database<[{ postgres: number; wal: number }]>`
    SELECT pg_database_size(current_database()) AS postgres,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS wal`;
  const size = (name: string) => statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0;
  return { ...row, temporalFile: size('temporal.db') + size('temporal.db-wal') };
}

async function historyOf(world: World, goalId: string, steps: number) {
  const client = createTemporalClient(world.temporal, temporalKeys([], world.home));
  const { historyLength, historySize } = await client.workflow
    .getHandle(workflowIdOf(goalId, 1))
    .describe();
  await client.connection.close();
  return {
    historyEvents: historyLength,
    temporalHistoryBytesAStep: round((historySize ?? 0) / steps, 1),
  };
}
