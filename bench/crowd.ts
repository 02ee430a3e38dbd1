import { measurePlainCommits } from './plain-commits.ts';
import { round } from './statistics.ts';
import { asksAtLast, openWorld } from './world.ts';

/** Many goals at once, each in its own workspace. */
export async function measureCrowd({ goals = 50, stepsEach = 200 } = {}) {
  const world = await openWorld();
  try {
    const plain = await measurePlainCommits(world.databaseUrl, { steps: 40, writers: goals });
    const started = await Promise.all(
      Array.from({ length: goals }, () => world.start(`steps ${stepsEach}`)),
    );
    await Promise.all(started.map(({ goalId }) => world.until(goalId, asksAtLast, 300_000)));
    const served = await Promise.all(started.map(({ goalId }) => world.served(goalId)));
    const firstAsked = Math.min(...served.map(({ asked }) => asked[0] ?? 0));
    const lastAnswered = Math.max(...served.map(({ answered }) => answered.at(-1) ?? 0));
    const perSecond = (goals * stepsEach) / ((lastAnswered - firstAsked) / 1000);
    const plainAfter = await measurePlainCommits(world.databaseUrl, { steps: 40, writers: goals });
    const plainPerSecond = (plain.stepsPerSecond + plainAfter.stepsPerSecond) / 2;
    return {
      goals,
      stepsEach,
      stepsPerSecond: round(perSecond, 0),
      plainStepsPerSecond: round(plainPerSecond, 0),
      shareOfPlain: round(perSecond / plainPerSecond),
    };
  } finally {
    await world.close();
  }
}
