import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, objectiveOf, reply } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { goalText } from '../../src/cli/goal-text.ts';
import { eventWords } from '../../src/cli/progress.ts';
import type { EventRow } from '../../src/contract/reads.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { workflowIdOf } from '../../src/temporal/names.ts';
import type { ScriptedGoals } from '../support/scripted-goals.ts';
import { barrier, turnsOf, waitUntil } from './helpers.ts';
import {
  ANTHROPIC,
  atFirst,
  COMPATIBLE,
  openProviderGoals,
  timesAsked,
  usageOf,
  works,
} from './provider-world.ts';

const inAnHour = reply.error(429, { error: { message: 'Slow down' } }, { 'retry-after': '3600' });
const soon = reply.error(429, { error: { message: 'Slow down' } }, { 'retry-after': '6' });

let goals: ScriptedGoals;
let worker: RunningWorker;
const held = barrier();
beforeAll(async () => {
  goals = await openProviderGoals(
    {
      busy: atFirst([inAnHour]),
      'busy-for-long': atFirst([inAnHour, inAnHour]),
      'busy-soon': atFirst([soon]),
      /** Its first answer comes when the test lets it. */
      held: async (request) => {
        if (timesAsked(goals, goalIdOf(request) ?? '') === 1) await held.pass();
        return works(request);
      },
      /** Only its first model is. */
      'busy-one': (request) => (request.model === 'scripted' ? inAnHour : works(request)),
    },
    { worker: false },
  );
  worker = await goals.world.startWorker();
});
afterAll(() => goals.world.close());

const isWaiting = ({ activity }: Goal) =>
  activity.state === 'waiting' && activity.on === 'provider';
const isComplete = ({ status }: Goal) => status === 'complete';

async function waiting(name: string, goal = {}): Promise<Goal> {
  const goalId = await goals.start(name, goal);
  return await goals.world.until(goalId, isWaiting);
}

describe('a long wait for the provider', () => {
  test('M25 shows in API, CLI and events who must act, why, and when the next try comes', async () => {
    const goal = await waiting('busy');
    const { activity, goalId } = goal;
    expect(activity).toMatchObject({ on: 'provider', actor: 'Provider' });
    expect(activity.reason).toBe('rate_limit: Slow down');
    const seconds = (Date.parse(activity.until ?? '') - Date.parse(activity.since)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThanOrEqual(3631);
    expect(goalText(goal)).toMatch(/rate_limit: Slow down until \S+ \(Provider\); the next try/);
    const events = await goals.world.database<EventRow[]>`
      SELECT type, data, at FROM event WHERE goal_id = ${goalId} ORDER BY seq`;
    const lines = events.map((event) => eventWords(event)?.text ?? '');
    expect(lines.join('\n')).toContain('model call failed, rate_limit: Slow down');
    expect(lines.join('\n')).toMatch(/waits for provider until \d\d:\d\d:\d\d: rate_limit/);
  });

  test('M25 counts as no turn, no nudge and no streak, and costs neither tokens nor active time', async () => {
    const goalId = await goals.start('busy-soon');
    const { activity } = await goals.world.until(goalId, isWaiting);
    const goal = await goals.world.until(goalId, isComplete);
    const waited = (Date.parse(activity.until ?? '') - Date.parse(activity.since)) / 1000;
    expect(waited).toBeGreaterThan(6);
    expect(goal.usage.activeSeconds).toBeLessThan(waited);
    expect(goal.usage.turns).toBe(1);
    expect((await turnsOf(goals.world, goalId)).map(({ kind }) => kind)).toEqual(['start']);
  });

  test('a resume tries at once, and the next wait begins its count anew', async () => {
    const { goalId, revision } = await waiting('busy-for-long');
    await goals.send(goalId, 'resume');
    await waitUntil(() => timesAsked(goals, goalId) === 2);
    await goals.world.until(goalId, (goal) => isWaiting(goal) && goal.revision > revision + 1);
    await goals.send(goalId, 'resume');
    await goals.world.until(goalId, isComplete);
  });

  test('M20 a message tries at once and is answered in a turn of its own', async () => {
    const { goalId } = await waiting('busy');
    await goals.send(goalId, 'messages', { text: 'How far are you?' });
    await waitUntil(() => timesAsked(goals, goalId) > 1);
    const goal = await goals.rest(goalId);
    const asked = goals.world.model.requests.some(({ messages }) =>
      messages.some(({ text }) => text.includes('How far are you?')),
    );
    expect(asked).toBe(true);
    expect(['message', undefined]).toContain(goal.pause?.reason);
  });

  test('a pause holds at once, and the goal stays paused when the time has come', async () => {
    const { goalId } = await waiting('busy-soon');
    const paused = await goals.send(goalId, 'pause');
    expect(paused).toMatchObject({ status: 'paused', pause: { reason: 'person' } });
    const asked = timesAsked(goals, goalId);
    await goals.send(goalId, 'resume');
    await goals.world.until(goalId, isComplete);
    expect(timesAsked(goals, goalId)).toBe(asked + 2);
  });

  test('another model is asked at once, in the same turn', async () => {
    const { goalId } = await waiting('busy-one', { model: COMPATIBLE });
    await goals.amend(goalId, { model: ANTHROPIC });
    await goals.world.until(goalId, isComplete);
    const { steps, usage } = await usageOf(goals, goalId);
    expect(steps.map(({ model }) => model)).toEqual([COMPATIBLE, ANTHROPIC, ANTHROPIC]);
    expect(usage.turns).toBe(1);
  });

  test('another budget leaves it as it is', async () => {
    const { goalId, activity } = await waiting('busy');
    const goal = await goals.amend(goalId, { budget: { turns: 50 } });
    expect(goal.activity).toMatchObject({ state: 'waiting', until: activity.until });
  });

  test('a deadline that passes meanwhile limits the goal, with its one wrap-up', {
    tags: 'campaign',
  }, async () => {
    const deadline = new Date(Date.now() + 8000).toISOString();
    const { goalId } = await waiting('busy', { budget: { deadline } });
    const goal = await goals.rest(goalId);
    expect(goal.status).toBe('budget_limited');
    const kinds = (await turnsOf(goals.world, goalId)).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'wrap_up']);
    expect(timesAsked(goals, goalId)).toBe(2);
  });

  test('a deadline in thousands of years leaves it as it is', async () => {
    const { goalId } = await waiting('busy', { budget: { deadline: '9999-12-31T23:59:59Z' } });
    await goals.world.client.send('POST', `/v1/goals/${goalId}/resume`, {});
    await goals.world.until(goalId, isComplete);
    const temporal = createTemporalClient(goals.world.temporal, goals.world.keys);
    const { events } = await temporal.workflow.getHandle(workflowIdOf(goalId, 1)).fetchHistory();
    // The wait's own and the deadline's, each begun once.
    expect(events?.filter((event) => event.timerStartedEventAttributes)).toHaveLength(2);
  });

  test('outlives its worker', { tags: 'campaign' }, async () => {
    const { goalId } = await waiting('busy-soon');
    worker.stop();
    await worker.done;
    worker = await goals.world.startWorker();
    await goals.world.until(goalId, isComplete);
  });

  test('ends with the service that was told to wait no longer than that', async () => {
    const policy = { continuation: { providerWaitSeconds: 60 } };
    const goal = await goals.run('busy', { policy });
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toContain('Slow down');
  });
});

test('what a person amends while a slice runs holds from its next step on', async () => {
  const goalId = await goals.start('held', { model: COMPATIBLE });
  await held.reached;
  const { revision } = await goals.amend(goalId, {
    model: ANTHROPIC,
    objective: 'held: and hurry',
    policy: { continuation: { stepsPerTurn: 100 } },
  });
  held.open();
  await goals.world.until(goalId, isComplete);
  const { steps, usage, stepSums } = await usageOf(goals, goalId);
  expect(steps.map(({ model, turn }) => [model, turn])).toEqual([
    [COMPATIBLE, 1],
    [ANTHROPIC, 1],
  ]);
  const last = goals.world.model.requests.findLast((request) => goalIdOf(request) === goalId);
  expect(last === undefined ? '' : objectiveOf(last)).toBe('held: and hurry');
  expect(revision).toBeGreaterThan(1);
  expect([stepSums.costUsd, stepSums.calls]).toEqual([usage.costUsd, 2]);
  expect(steps[1]?.pricesVersion).toMatch(/^genai-prices@/);
});

test('the calls of a goal come in pages, and add up to its usage', async () => {
  const { goalId, usage } = await goals.run('busy-soon');
  const first = await usageOf(goals, goalId, '?limit=2');
  const rest = await usageOf(goals, goalId, `?limit=2&cursor=${first.nextCursor}`);
  expect([first.steps.length, rest.steps.length, rest.nextCursor]).toEqual([2, 1, null]);
  const all = [...first.steps, ...rest.steps];
  const sum = all.reduce(
    (total, step) => total + step.inputTokens - step.cachedInputTokens + step.outputTokens,
    0,
  );
  expect(sum).toBe(usage.tokens);
  expect(first.series.at(-1)?.usage.tokens).toBe(usage.tokens);
});
