import { measureRawLoop } from './raw-loop.ts';
import { median, quantile, round } from './statistics.ts';
import { asksAtLast, openWorld } from './world.ts';

const STARTS = 20;

/** From the POST that starts a goal to its first model call. */
export async function measureStart() {
  const world = await openWorld();
  try {
    const raw = await measureRawLoop(world, { turns: 50, goals: 10 });
    const durations: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const { goalId, postedAt } = await world.startTimed('ask 0');
      await world.until(goalId, asksAtLast);
      const { asked } = await world.served(goalId);
      durations.push((asked[0] ?? Number.NaN) - postedAt);
    }
    return {
      starts: STARTS,
      firstStartMs: round(durations[0] ?? Number.NaN, 0),
      startMs: round(median(durations), 0),
      startMsP95: round(quantile(durations, 0.95), 0),
      rawTurnMs: raw.turnMs,
    };
  } finally {
    await world.close();
  }
}
