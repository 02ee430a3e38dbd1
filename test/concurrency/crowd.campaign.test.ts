import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import { loadConfig } from '../../src/app/config.ts';
import { type RunningApi, startApi } from '../../src/app/run-api.ts';
import { worldCaller } from '../api/world-calls.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { insist } from './clients.ts';

/** Three times as many as a run of a workflow takes at the same time. */
const WRITERS = 30;

const scripts = { hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]) };

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

/** A second process of the API, as behind a load balancer. */
async function anotherApi(): Promise<RunningApi> {
  const { environment, temporal } = goals.world;
  const config = loadConfig(environment);
  return startApi({ config, databaseUrl: environment.DATABASE_URL ?? '', temporal });
}

test('M11 of thirty writers at once none is lost, and each gets a revision of its own', async () => {
  const goalId = await goals.start('hangs');
  await goals.asked(goalId);
  const { revision } = await goals.world.get(goalId);
  const call = worldCaller(goals.world);
  const answers = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) =>
      insist(() =>
        call(`POST /v1/goals/${goalId}/messages`, {
          body: { text: `${writer}`, delivery: 'steer' },
          key: `one-${writer}`,
        }),
      ),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [200, undefined]),
  );
  expect(answers.map(({ body }) => body.revision).toSorted((a, b) => a - b)).toEqual(
    answers.map((_, index) => revision + 1 + index),
  );
  const heard = await goals.world.database<{ text: string }[]>`
    SELECT text FROM inbox WHERE goal_id = ${goalId}`;
  expect(heard.map(({ text }) => Number(text)).toSorted((a, b) => a - b)).toEqual(
    answers.map((_, writer) => writer),
  );
});

test('M11 also where they come through three processes of the API at once, and none is refused', async () => {
  const goalId = await goals.start('hangs');
  await goals.asked(goalId);
  const { revision } = await goals.world.get(goalId);
  const others = [await anotherApi(), await anotherApi()];
  try {
    const processes = [goals.world, ...others].map(worldCaller);
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => {
        const call = processes[writer % processes.length] ?? worldCaller(goals.world);
        return insist(() =>
          call(`POST /v1/goals/${goalId}/messages`, {
            body: { text: `${writer}`, delivery: 'steer' },
            key: `three-${writer}`,
          }),
        );
      }),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [200, undefined]),
    );
    expect(answers.map(({ body }) => body.revision).toSorted((a, b) => a - b)).toEqual(
      answers.map((_, index) => revision + 1 + index),
    );
  } finally {
    for (const api of others) await api.close();
  }
});
