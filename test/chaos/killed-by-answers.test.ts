import { expect, test } from 'vitest';
import { goalIdOf, type Script } from '../../demo/script.ts';
import type { ChargedStep, StepSums } from '../../schema/usage.ts';
import { openGoalWorld } from '../support/goal-world.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const DEATHS = 3;

test('a worker that dies under every answer can neither spend nor be killed without end', async () => {
  let worker: SupervisedWorker | null = null;
  const kills: (string | null)[] = [];
  const script: Script = (request) => {
    kills.push(goalIdOf(request));
    worker?.kill('SIGKILL');
    return { text: 'It is too much for you.', hang: 'before' };
  };
  const world = await openGoalWorld({ script, worker: false });
  try {
    worker = await superviseWorker(world);
    const { goalId } = await world.start({
      objective: 'Live',
      workspace: { path: await world.workspace({}) },
      policy: { continuation: { lostCalls: DEATHS } },
    });
    const goal = await world.until(goalId, ({ status }) => status !== 'active', 120_000);
    expect(goal.pause?.reason).toBe('provider_error');
    expect(goal.pause?.message).toContain(`${DEATHS} workers in a row died`);
    expect(kills).toEqual(Array(DEATHS).fill(goalId));
    const { steps, stepSums } = await world.client.get<{
      steps: ChargedStep[];
      stepSums: StepSums;
    }>(`/v1/goals/${goalId}/usage`);
    expect(steps.map(({ state, isEstimated }) => [state, isEstimated])).toEqual(
      Array(DEATHS).fill(['lost', true]),
    );
    expect(
      steps.every(({ inputTokens, outputTokens }) => inputTokens > 0 && outputTokens > 0),
    ).toBe(true);
    expect(goal.usage.tokens).toBe(stepSums.tokens);
    expect(worker.starts()).toBe(DEATHS + 1);
  } finally {
    await worker?.stop();
    await world.close();
  }
});

test('M15 a wrap-up under which two workers died is given up, each of them charged', async () => {
  let worker: SupervisedWorker | null = null;
  let asked = 0;
  const script: Script = () => {
    asked += 1;
    if (asked === 1) return { text: 'A start.' };
    worker?.kill('SIGKILL');
    return { text: 'It is too much for you.', hang: 'before' };
  };
  const world = await openGoalWorld({ script, worker: false });
  try {
    worker = await superviseWorker(world);
    const { goalId } = await world.start({
      objective: 'Live',
      criteria: [],
      budget: { turns: 1 },
      workspace: { path: await world.workspace({}) },
    });
    await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
      120_000,
    );
    const { steps } = await world.client.get<{ steps: ChargedStep[] }>(`/v1/goals/${goalId}/usage`);
    expect(steps.map(({ turn, state }) => [turn, state])).toEqual([
      [1, 'committed'],
      [2, 'lost'],
      [2, 'lost'],
    ]);
    expect(asked).toBe(3);
  } finally {
    await worker?.stop();
    await world.close();
  }
});
