import { measurePlainCommits } from './plain-commits.ts';
import { processorTime } from './processor-time.ts';
import { measureRawLoop } from './raw-loop.ts';
import { gaps, median, round } from './statistics.ts';
import { asksAtLast, openWorld, type World } from './world.ts';

const TURNS = 60;
/** Goals at once, and turns of each, whose processor time is counted. */
const CROWD = { goals: 20, turns: 20 };

/** Overhead a turn, beside a raw loop of two activities a turn on the same server. */
export async function measureTurns() {
  const world = await openWorld();
  try {
    const raw = await measureRawLoop(world);
    const plain = await measurePlainCommits(world.ownerDatabaseUrl);
    const working = await world.start(`turns ${TURNS}`);
    await world.until(working.goalId, asksAtLast);
    const turn = gaps(await world.served(working.goalId));
    const idle = await world.start(`yields ${TURNS}`);
    await world.until(idle.goalId, asksAtLast);
    const gated = gaps(await world.served(idle.goalId));
    const used = await crowdCost(world);
    const rawAfter = await measureRawLoop(world);
    const inTurn = turn.filter((_, index) => index % 2 === 0);
    const between = turn.filter((_, index) => index % 2 === 1);
    const whole = inTurn.map((gap, index) => gap + (between[index] ?? Number.NaN)).slice(0, -1);
    const turnMs = median(whole);
    const rawMs = (raw.turnMs + rawAfter.turnMs) / 2;
    return {
      turnOfTwoStepsMs: round(turnMs, 1),
      betweenTurnsMs: round(median(between), 1),
      turnWithGateMs: round(median(gated), 1),
      rawTurnMs: round(rawMs, 1),
      turnByRaw: round(turnMs / rawMs),
      rawTurnsPerSecondOf50: round((raw.turnsPerSecond + rawAfter.turnsPerSecond) / 2, 1),
      plainStepMs: plain.stepMs,
      ...used,
    };
  } finally {
    await world.close();
  }
}

/** Milliseconds of processor time that a turn of two steps costs each part, of many goals at once. */
async function crowdCost(world: World) {
  const { goals, turns } = CROWD;
  const before = await processorTime(world);
  const started = await Promise.all(
    Array.from({ length: goals }, () => world.start(`turns ${turns}`)),
  );
  for (const { goalId } of started) await world.until(goalId, asksAtLast);
  const after = await processorTime(world);
  const aTurn = (used: number) => round(used / (goals * turns), 1);
  return {
    workerCpuMsATurn: aTurn(after.worker - before.worker),
    temporalCpuMsATurn: aTurn(after.temporal - before.temporal),
    postgresCpuMsATurn: aTurn(after.postgres - before.postgres),
  };
}
