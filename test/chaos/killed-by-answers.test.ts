import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { ChargedStep, StepSums } from '../../schema/usage.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const DEATHS = 3;

interface Mortal {
  readonly world: GoalWorld;
  readonly worker: SupervisedWorker;
  readonly goalId: string;
}

/** A goal whose model can kill its worker. */
async function withMortal(
  scriptOf: (kill: () => void) => Script,
  goal: Partial<StartGoal>,
  look: (mortal: Mortal) => Promise<void>,
): Promise<void> {
  let worker: SupervisedWorker | null = null;
  const script = scriptOf(() => worker?.kill('SIGKILL'));
  const world = await openGoalWorld({ script, worker: false });
  try {
    worker = await superviseWorker(world);
    const workspace = { path: await world.workspace({}) };
    const { goalId } = await world.start({ objective: 'Live', workspace, ...goal });
    await look({ world, worker, goalId });
  } finally {
    await worker?.stop();
    await world.close();
  }
}

const usageOf = ({ world, goalId }: Mortal) =>
  world.client.get<{ steps: ChargedStep[]; stepSums: StepSums }>(`/v1/goals/${goalId}/usage`);

const untilStill = ({ world, goalId }: Mortal) =>
  world.until(goalId, ({ status }) => status !== 'active', 120_000);

const fatal = { text: 'It is too much for you.', hang: 'before' } as const;
const policy = { continuation: { lostCalls: DEATHS } };

test('a worker that dies under every answer can neither spend nor be killed without end', async () => {
  const kills: (string | null)[] = [];
  const scriptOf =
    (kill: () => void): Script =>
    (request) => {
      kills.push(goalIdOf(request));
      kill();
      return fatal;
    };
  await withMortal(scriptOf, { policy }, async (mortal) => {
    const goal = await untilStill(mortal);
    expect(goal.pause?.reason).toBe('provider_error');
    expect(goal.pause?.message).toContain(`${DEATHS} workers in a row died`);
    expect(kills).toEqual(Array(DEATHS).fill(mortal.goalId));
    const { steps, stepSums } = await usageOf(mortal);
    expect(steps.map(({ state, isEstimated }) => [state, isEstimated])).toEqual(
      Array(DEATHS).fill(['lost', true]),
    );
    expect(
      steps.every(({ inputTokens, outputTokens }) => inputTokens > 0 && outputTokens > 0),
    ).toBe(true);
    expect(goal.usage.tokens).toBe(stepSums.tokens);
    expect(mortal.worker.starts()).toBe(DEATHS + 1);
  });
});

test('a free refusal between two deaths does not start their count again', async () => {
  let asked = 0;
  const scriptOf =
    (kill: () => void): Script =>
    () => {
      asked += 1;
      if (asked % 2 === 0) return reply.error(429, undefined, { 'retry-after': '0' });
      kill();
      return fatal;
    };
  await withMortal(scriptOf, { policy }, async (mortal) => {
    const goal = await untilStill(mortal);
    expect(goal.pause?.message).toContain(`${DEATHS} workers in a row died`);
    expect(asked).toBe(2 * DEATHS - 1);
  });
});

test('a review under which worker after worker dies pauses the goal, each of them charged', async () => {
  const works = sequence([
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is written.' }),
  ]);
  const scriptOf =
    (kill: () => void): Script =>
    (request) => {
      if (request.tools.length > 0) return works(request);
      kill();
      return { text: '{', hang: 'before' };
    };
  const criteria = [{ kind: 'review' as const, rubric: 'It has to be 42.' }];
  await withMortal(scriptOf, { criteria, policy }, async (mortal) => {
    const goal = await untilStill(mortal);
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toContain(`${DEATHS} workers in a row died during the same review`);
    const { steps } = await usageOf(mortal);
    const reviews = steps.filter(({ kind }) => kind === 'review');
    expect(reviews.map(({ state }) => state)).toEqual(Array(DEATHS).fill('lost'));
    expect(reviews.every(({ outputTokens }) => outputTokens > 0)).toBe(true);
  });
});

test('M15 a wrap-up under which two workers died is given up, each of them charged', async () => {
  let asked = 0;
  const scriptOf =
    (kill: () => void): Script =>
    () => {
      asked += 1;
      if (asked === 1) return { text: 'A start.' };
      kill();
      return fatal;
    };
  await withMortal(scriptOf, { criteria: [], budget: { turns: 1 } }, async (mortal) => {
    await mortal.world.until(
      mortal.goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
      120_000,
    );
    const { steps } = await usageOf(mortal);
    expect(steps.map(({ turn, state }) => [turn, state])).toEqual([
      [1, 'committed'],
      [2, 'lost'],
      [2, 'lost'],
    ]);
    expect(asked).toBe(3);
  });
});

test('the time in which no worker was there is no active time', async () => {
  const DOWN_MS = 6000;
  let asked = 0;
  const script: Script = () => {
    asked += 1;
    return asked === 1
      ? { text: 'Wait', hang: 'after_text' }
      : reply.call('ask_user', { question: 'Which one?' });
  };
  const world = await openGoalWorld({ script, worker: false });
  const first = await superviseWorker(world);
  try {
    const { goalId } = await world.start({
      objective: 'Live',
      workspace: { path: await world.workspace({}) },
    });
    const deadline = Date.now() + 30_000;
    while (asked === 0 && Date.now() < deadline) await delay(25);
    await first.crash();
    await delay(DOWN_MS);
    const second = await superviseWorker(world);
    const goal = await world.until(goalId, ({ status }) => status !== 'active', 60_000);
    await second.stop();
    expect(goal.pause?.reason).toBe('question');
    expect(goal.usage.activeSeconds).toBeLessThan(DOWN_MS / 1000);
  } finally {
    await world.close();
  }
});
