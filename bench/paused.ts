import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { asksAtLast, openWorld, type World } from './world.ts';

const AT_ONCE = 20;
/** The engine gives memory back some time after the last work. */
const SETTLED_MS = 55_000;

/** Memory of a worker whose goals all wait for an answer. */
export async function measurePaused(goals = 200) {
  const world = await openWorld();
  try {
    const idle = await workerMemory(world);
    for (let started = 0; started < goals; started += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, () => world.start('ask 0'));
      const ids = (await Promise.all(batch)).map(({ goalId }) => goalId);
      await Promise.all(ids.map((goalId) => world.until(goalId, asksAtLast)));
    }
    await delay(5000);
    const soon = await workerMemory(world);
    await delay(SETTLED_MS);
    const full = await workerMemory(world);
    return {
      goals,
      idleMb: idle,
      rssMbAfter5s: soon,
      rssMbAfter60s: full,
      kbAGoal: Math.round(((full - idle) * 1000) / goals),
    };
  } finally {
    await world.close();
  }
}

/** Resident megabytes, as the kernel counts them. */
export async function workerMemory({ database }: World): Promise<number> {
  for (;;) {
    const [worker] = await database<{ pid: number }[]>`SELECT pid FROM worker`;
    if (worker !== undefined) {
      const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8');
      return Math.round((Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) * 1024) / 1e6);
    }
    await delay(100);
  }
}
