import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantMessages, reply, type Script, sequence } from '../../demo/script.ts';
import { goalText } from '../../src/cli/goal-text.ts';
import { changeGoal } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';
import { ANTHROPIC, COMPATIBLE, usageOf, works } from './provider-world.ts';

const overloaded = reply.error(529, {
  type: 'error',
  error: { type: 'overloaded_error', message: 'Overloaded' },
});
const wrongKey = reply.error(401, {
  type: 'error',
  error: { type: 'authentication_error', message: 'wrong key' },
});

/** What the first model says; the fallback works. */
const first =
  (says: Script, otherwise: Script = works): Script =>
  (request) =>
    request.model === 'scripted' ? otherwise(request) : says(request);

/** Wherever the other model has left off. */
const finishes: Script = ({ messages }) => {
  const tools = messages.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  return tools.includes('write_file') ? claim : write;
};

const prices = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.json');
writeFileSync(
  prices,
  JSON.stringify({ models: { [COMPATIBLE]: { inputPerMTok: '1.00', outputPerMTok: '5.00' } } }),
);

let anthropicIsBack = false;
let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      'wrong-key': first(() => wrongKey),
      overloaded: first(() => overloaded),
      'for-hours': first(() => reply.error(429, undefined, { 'retry-after': '7200' })),
      'both-down': () => wrongKey,
      returns: first(
        (request) => (anthropicIsBack ? finishes(request) : wrongKey),
        sequence([
          reply.call('list_files', {}),
          reply.call('run_command', { command: 'sleep 4' }),
          write,
          claim,
        ]),
      ),
      talks: first(
        () => wrongKey,
        (request) =>
          assistantMessages(request) < 2 ? reply.text('Let me think about it.') : works(request),
      ),
    },
    {
      models: (url) => ({
        anthropicApiKey: 'test-key-of-anthropic',
        baseUrls: { anthropic: url },
        pricesFile: prices,
      }),
    },
  );
});
afterAll(() => goals.world.close());

const pair = { model: ANTHROPIC, fallbackModel: COMPATIBLE };
const noWaits = { continuation: { providerRetries: 0 } };
const modelsOf = async (goalId: string) =>
  (await usageOf(goals, goalId)).steps.map(({ model, state }) => `${model} ${state}`);

describe('a fallback model', () => {
  test('M25 takes over where no retry helps, in the same turn, priced as itself', async () => {
    const goal = await goals.run('wrong-key', pair);
    expect(goal.status).toBe('complete');
    expect(await modelsOf(goal.goalId)).toEqual([
      `${ANTHROPIC} failed`,
      `${COMPATIBLE} committed`,
      `${COMPATIBLE} committed`,
    ]);
    const { steps, usage } = await usageOf(goals, goal.goalId);
    expect(usage.turns).toBe(1);
    expect(steps.map(({ pricesVersion }) => pricesVersion?.split(':')[0])).toEqual([
      expect.stringMatching(/^genai-prices@/),
      'file',
      'file',
    ]);
  });

  test('M25 takes over at the end of the policy, after the short tries', async () => {
    const goal = await goals.run('overloaded', { ...pair, policy: noWaits });
    expect(goal.status).toBe('complete');
    const models = await modelsOf(goal.goalId);
    expect(models.slice(0, 5)).toEqual([
      ...Array(4).fill(`${ANTHROPIC} failed`),
      `${COMPATIBLE} committed`,
    ]);
  });

  test('M25 takes over at once where the provider asks for hours, and for that long', async () => {
    const goalId = await goals.start('for-hours', pair);
    const { fallback } = await goals.world.until(goalId, (goal) => goal.fallback !== undefined);
    const left = (Date.parse(fallback?.until ?? '') - Date.now()) / 1000;
    expect(left).toBeGreaterThan(7100);
    await goals.world.until(goalId, ({ status }) => status === 'complete');
  });

  test('shows in API, CLI and events that it stands in, until when and why', async () => {
    const goalId = await goals.start('talks', pair);
    const goal = await goals.world.until(goalId, ({ fallback }) => fallback !== undefined);
    expect(goal.fallback).toMatchObject({ model: COMPATIBLE, reason: 'auth: wrong key' });
    expect(goalText(goal)).toContain(`${COMPATIBLE} stands in until ${goal.fallback?.until}`);
    const [event] = await goals.world.database<{ data: object }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'model.fell_back'`;
    expect(event?.data).toMatchObject({ reason: 'auth: wrong key' });
    await goals.rest(goalId);
    const models = await modelsOf(goalId);
    expect(models.filter((model) => model.startsWith(ANTHROPIC))).toHaveLength(1);
  });

  test('gives way to the first model again after its time', async () => {
    const policy = { continuation: { fallbackSeconds: 3 } };
    anthropicIsBack = false;
    const goalId = await goals.start('returns', { ...pair, policy });
    await goals.world.until(goalId, ({ fallback }) => fallback !== undefined);
    anthropicIsBack = true;
    await goals.world.until(goalId, ({ status }) => status === 'complete');
    const models = await modelsOf(goalId);
    expect(models[0]).toBe(`${ANTHROPIC} failed`);
    expect(models[1]).toBe(`${COMPATIBLE} committed`);
    expect(models.at(-1)).toBe(`${ANTHROPIC} committed`);
  });

  test('that fails too leaves the goal paused with its words; a resume asks the first one', async () => {
    const goal = await goals.run('both-down', pair);
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toBe(`fallback ${COMPATIBLE}: wrong key`);
    await goals.send(goal.goalId, 'resume');
    await waitUntil(async () => (await modelsOf(goal.goalId)).length === 4);
    expect((await modelsOf(goal.goalId))[2]).toBe(`${ANTHROPIC} failed`);
  });

  test('named while the goal waits is asked at once', async () => {
    const goalId = await goals.start('for-hours', { model: ANTHROPIC });
    await goals.world.until(goalId, ({ activity }) => activity.on === 'provider');
    await goals.amend(goalId, { fallbackModel: COMPATIBLE });
    await goals.world.until(goalId, ({ status }) => status === 'complete');
  });
});

describe('M18 a fallback model is checked as the first one is', () => {
  const refused = (goal: object) => problemOf(goals.start('wrong-key', goal));
  const costUsd = '5.00';

  test('at the start', async () => {
    expect(await refused({ fallbackModel: 'openai/gpt-4.1' })).toMatchObject({
      code: 'model_key_missing',
      field: 'fallbackModel',
    });
    expect(await refused({ fallbackModel: 'nobody/x' })).toMatchObject({ code: 'unknown_model' });
    expect(
      await refused({ fallbackModel: 'compatible/unpriced', budget: { costUsd } }),
    ).toMatchObject({ code: 'invalid_request', model: 'compatible/unpriced' });
  });

  test('when it is amended, and when a cost budget is', async () => {
    const { goalId } = await goals.run('both-down', { model: ANTHROPIC });
    const amended = (body: object) => problemOf(goals.amend(goalId, body));
    expect(await amended({ fallbackModel: 'openai/gpt-4.1' })).toMatchObject({
      code: 'model_key_missing',
      field: 'fallbackModel',
    });
    const fallbackModel = 'compatible/unpriced';
    expect((await goals.amend(goalId, { fallbackModel })).fallbackModel).toBe(fallbackModel);
    expect(await amended({ budget: { costUsd } })).toMatchObject({ model: fallbackModel });
    expect((await goals.amend(goalId, { fallbackModel: null })).fallbackModel).toBeUndefined();
    expect((await goals.amend(goalId, { budget: { costUsd } })).budget.costUsd).toBe(costUsd);
  });
});

test('M18 a worker that knows no price for a model with a cost limit asks nobody', async () => {
  const goalId = await goals.start('for-hours', { model: ANTHROPIC });
  await goals.world.until(goalId, ({ activity }) => activity.on === 'provider');
  // As if this worker had been started with another file of prices than the API.
  await changeGoal(
    goals.world,
    goalId,
    (tx) => tx`
      UPDATE goal SET model = 'compatible/unpriced', budget = budget || '{"costUsd": "5"}'
      WHERE goal_id = ${goalId}`,
  );
  const before = (await modelsOf(goalId)).length;
  await goals.send(goalId, 'messages', { text: 'Go on, please.' });
  const goal = await goals.world.until(goalId, ({ status }) => status === 'paused');
  expect(goal.pause).toMatchObject({ reason: 'provider_error' });
  expect(goal.pause?.message).toContain('compatible/unpriced has no known price');
  expect(await modelsOf(goalId)).toHaveLength(before);
});
