import { afterEach, expect, test } from 'vitest';
import { assistantMessages, goalIdOf, type Script } from '../../demo/script.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { barrier } from './helpers.ts';

let goals: ScriptedGoals;
afterEach(() => goals.world.close());

/** Writes, then claims; the first call answers when the gate opens. */
function writesAt(gate: ReturnType<typeof barrier>): Script {
  let calls = 0;
  return async (request) => {
    calls += 1;
    if (calls === 1) await gate.pass();
    return assistantMessages(request) > 0 ? claim : write;
  };
}

async function open(
  drainSeconds: number,
  gate: ReturnType<typeof barrier>,
): Promise<RunningWorker> {
  goals = await openScriptedGoals(
    { writes: writesAt(gate) },
    { worker: false, environment: { GOALKEEPER_DRAIN_SECONDS: String(drainSeconds) } },
  );
  return await goals.world.startWorker();
}

const requestsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

/** What the record says was asked and paid, in order. */
const stepsOf = (goalId: string) => goals.world.database<{ state: string; tokens: number }[]>`
  SELECT state, coalesce(input_tokens, 0)::int + coalesce(output_tokens, 0)::int AS tokens
  FROM step WHERE goal_id = ${goalId} ORDER BY turn, step, attempt`;

test('SERVE-11 a call that runs when its worker is told to stop ends there; the next worker goes on behind it', async () => {
  const gate = barrier();
  const worker = await open(300, gate);
  const goalId = await goals.start('writes');
  await goals.asked(goalId);
  worker.stop();
  expect(await worker.look()).toMatchObject({ polls: 'draining' });
  await goals.world.startWorker();
  expect(requestsOf(goalId)).toHaveLength(1);
  gate.open();
  await worker.done;
  expect(
    await goals.world.until(goalId, ({ status }) => status === 'complete', 60_000),
  ).toBeTruthy();
  expect(requestsOf(goalId)).toHaveLength(2);
  expect((await stepsOf(goalId)).map(({ state }) => state)).toEqual(['committed', 'committed']);
});

test('SERVE-12 a call that outlives the drain time is cut once, and asked once by the next worker', async () => {
  const gate = barrier();
  const worker = await open(1, gate);
  const goalId = await goals.start('writes');
  await goals.asked(goalId);
  worker.stop();
  await goals.world.startWorker();
  await worker.done;
  expect(
    await goals.world.until(goalId, ({ status }) => status === 'complete', 60_000),
  ).toBeTruthy();
  gate.open();
  expect(requestsOf(goalId)).toHaveLength(3);
  const steps = await stepsOf(goalId);
  expect(steps.map(({ state }) => state)).toEqual(['failed', 'committed', 'committed']);
  // It was sent, so its input is charged by the estimate; each request is in the books once.
  expect(steps.every(({ tokens }) => tokens > 0)).toBe(true);
});
