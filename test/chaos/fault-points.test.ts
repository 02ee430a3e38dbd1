import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { FAULT_POINTS, METHODS, UNREACHED, withFaultPoints } from './fault-points.ts';
import { assertNothingLost, chaosScript, seeThrough, startChaosGoal } from './scenario.ts';
import { superviseWorker } from './supervisor.ts';

let world: GoalWorld;
let flags: string;
const outcomes: string[] = [];

beforeAll(async () => {
  world = await openGoalWorld({ script: chaosScript, worker: false });
  flags = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
});
afterAll(async () => {
  await world.close();
  console.log(outcomes.join('\n'));
});

test('the list of fault points names every method of every port', async () => {
  const seen: string[] = [];
  const worker = await world.startWorker((ports) => {
    for (const port of ['journal', 'record'] as const) {
      seen.push(...Object.keys(ports[port]).map((method) => `${port}.${method}`));
    }
    return withFaultPoints(ports, () => {});
  });
  worker.stop();
  await worker.done;
  const listed = METHODS.filter((name) => /^(journal|record)\./.test(name));
  expect(seen.toSorted()).toEqual([...listed].toSorted());
});

for (const point of FAULT_POINTS) {
  test(`a worker killed at ${point} loses and doubles nothing`, async () => {
    const flag = join(flags, point);
    const worker = await superviseWorker(world, { point, flag });
    try {
      const goal = await startChaosGoal(world);
      await seeThrough(world, goal.goalId);
      const wasKilled = existsSync(flag);
      outcomes.push(`${point.padEnd(36)} ${wasKilled ? 'killed, complete' : 'not passed'}`);
      const isExplained = (point.split(':')[0] ?? '') in UNREACHED;
      expect(wasKilled || isExplained).toBe(true);
      await worker.stop();
      await assertNothingLost(world, goal);
    } finally {
      await worker.stop();
    }
  });
}
