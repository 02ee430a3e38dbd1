import { measurePlainCommits } from './plain-commits.ts';
import { processorTime } from './processor-time.ts';
import { round } from './statistics.ts';
import { asksAtLast, openWorld } from './world.ts';

/** Many goals at once, each in its own workspace. */
export async function measureCrowd({ goals = 50, stepsEach = 200, workers = 1 } = {}) {
  const world = await openWorld({ workers });
  try {
    const plain = await measurePlainCommits(world.databaseUrl, { steps: 40, writers: goals });
    const before = await processorTime(world);
    const started = await Promise.all(
      Array.from({ length: goals }, () => world.start(`steps ${stepsEach}`)),
    );
    // One after the other: asking after all of them at once would load the machine.
    for (const { goalId } of started) await world.until(goalId, asksAtLast, 300_000);
    const served = await Promise.all(started.map(({ goalId }) => world.served(goalId)));
    const firstAsked = Math.min(...served.map(({ asked }) => asked[0] ?? 0));
    const lastAnswered = Math.max(...served.map(({ answered }) => answered.at(-1) ?? 0));
    const after = await processorTime(world);
    const aStep = (used: number) => round(used / (goals * stepsEach));
    const perSecond = (goals * stepsEach) / ((lastAnswered - firstAsked) / 1000);
    const plainAfter = await measurePlainCommits(world.databaseUrl, { steps: 40, writers: goals });
    const plainPerSecond = (plain.stepsPerSecond + plainAfter.stepsPerSecond) / 2;
    return {
      workers,
      goals,
      stepsEach,
      stepsPerSecond: round(perSecond, 0),
      plainStepsPerSecond: round(plainPerSecond, 0),
      workerCpuMsAStep: aStep(after.worker - before.worker),
      postgresCpuMsAStep: aStep(after.postgres - before.postgres),
      temporalCpuMsAStep: aStep(after.temporal - before.temporal),
      shareOfPlain: round(perSecond / plainPerSecond),
    };
  } finally {
    await world.close();
  }
}
