import { measurePlainCommits } from './plain-commits.ts';
import { measureRawLoop } from './raw-loop.ts';
import { gaps, median, round } from './statistics.ts';
import { asksAtLast, openWorld } from './world.ts';

const TURNS = 60;

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
    };
  } finally {
    await world.close();
  }
}
