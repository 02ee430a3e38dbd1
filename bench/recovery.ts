import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../src/stack/child.ts';
import { startWorker } from '../src/stack/own-process.ts';
import { measurePlainCommits } from './plain-commits.ts';
import { median, round } from './statistics.ts';
import { ENTRY, openWorld, type World } from './world.ts';

/** The model takes this long, so that the kill falls at any place of a step. */
const MODEL_MS = 20;

/** SIGKILL of the only worker under supervision, to the next journaled step. */
export async function measureRecovery(kills = 7) {
  const world = await openWorld();
  try {
    const plain = await measurePlainCommits(world.databaseUrl);
    const { goalId } = await world.start(`slow-steps ${MODEL_MS}`);
    const seconds: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      // A service that dies again within ten seconds is started with growing pauses.
      await delay(11_000 + Math.random() * 1000);
      seconds.push(await killHolder(world, goalId));
    }
    return { kills, ...summary(seconds), plainStepMs: plain.stepMs };
  } finally {
    await world.close();
  }
}

/** Nobody supervises: a second worker that runs already takes the goal over. */
export async function measureTakeover(kills = 5) {
  const world = await openWorld({ workers: 0 });
  const workers: Child[] = [];
  const addresses = { databaseUrl: world.databaseUrl, temporal: world.temporal };
  const add = () => {
    const options = { home: world.home, addresses, entry: ENTRY, workspaces: [] };
    workers.push(startWorker({ ...options, number: workers.length + 1 }));
  };
  try {
    add();
    add();
    const plain = await measurePlainCommits(world.databaseUrl);
    const { goalId } = await world.start(`slow-steps ${MODEL_MS}`);
    const seconds: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await delay(8000 + Math.random() * 1000);
      seconds.push(await killHolder(world, goalId));
      add();
    }
    return { kills, ...summary(seconds), plainStepMs: plain.stepMs };
  } finally {
    await Promise.all(workers.map((worker) => worker.end(['SIGTERM'], 20_000)));
    await world.close();
  }
}

const summary = (seconds: readonly number[]) => ({
  medianSeconds: round(median(seconds)),
  longestSeconds: round(Math.max(...seconds)),
  allSeconds: seconds.map((each) => round(each)).join(' '),
});

/** @returns seconds from the SIGKILL to the end of the first step of a later attempt */
async function killHolder({ database }: World, goalId: string): Promise<number> {
  const [holder] = await database<{ pid: number; token: number }[]>`
    SELECT w.pid, j.token FROM journal j JOIN attempt a ON a.goal_id = j.goal_id
      AND a.token = j.token JOIN worker w ON w.worker_id = a.worker_id
    WHERE j.goal_id = ${goalId}`;
  if (holder === undefined) throw new Error('nobody holds the goal');
  const killedAt = Date.now();
  process.kill(holder.pid, 'SIGKILL');
  for (const deadline = killedAt + 60_000; Date.now() < deadline; await delay(50)) {
    const [next] = await database<{ at: string | null }[]>`
      SELECT min(ended_at) AS at FROM step
      WHERE goal_id = ${goalId} AND token > ${holder.token} AND state = 'committed'`;
    if (next?.at) return (Date.parse(next.at) - killedAt) / 1000;
  }
  throw new Error('no step followed the kill within a minute');
}
