import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { liveScript } from './live-script.ts';
import { worldCaller } from './world-calls.ts';

let world: GoalWorld;
let call: ReturnType<typeof worldCaller>;
beforeAll(async () => {
  world = await openGoalWorld({ script: liveScript, worker: false });
  call = worldCaller(world);
});
afterAll(() => world.close());

const diffFrom = async (from: string) =>
  (await call(`GET /v1/goals/g-0000000000000000/diff?from=${from}`)).status;

test.each(['3', 't3', 'r1', 'r1.2', 'a1', 'now'])(
  'a diff takes %s, as checkpoints are named, and only the goal is not found',
  async (name) => expect(await diffFrom(name)).toBe(404),
);

test.each(['r1.', 'r.2', '1.2', 'r1.2.3', 'x1', 'r1.-2'])(
  'a diff refuses %s, which no checkpoint is named',
  async (name) => expect(await diffFrom(name)).toBe(400),
);
