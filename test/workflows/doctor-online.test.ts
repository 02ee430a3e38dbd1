import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';

let world: GoalWorld;
let isRefused = false;
beforeAll(async () => {
  const script = () => (isRefused ? reply.error(401) : reply.text('ready'));
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

async function online(): Promise<{ finding: Finding | undefined; exitCode: number | null }> {
  const environment = {
    ...(world.environment as Record<string, string>),
    ...{ GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin },
  };
  const { out, exitCode } = await start(['doctor', '--online', '--json'], environment).done;
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { finding: findings.find(({ check }) => check === 'online'), exitCode };
}

test('TERM-67 doctor --online asks the default model once, and says how long it took', async () => {
  const before = world.model.requests.length;
  const { finding } = await online();
  expect(finding).toMatchObject({
    isGood: true,
    detail: expect.stringMatching(/^compatible\/scripted answered in \d+\.\d s/),
  });
  expect(world.model.requests.length).toBe(before + 1);
});

test('TERM-67 a model that refuses the key is a fault, with what to mend', async () => {
  isRefused = true;
  const { finding, exitCode } = await online();
  expect([finding?.isGood, exitCode]).toEqual([false, 3]);
  expect(finding?.detail).toMatch(/does not answer: .+ Mend its key, its name or its address\.$/);
});
