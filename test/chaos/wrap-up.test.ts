import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { turnsOf, waitUntil } from '../workflows/helpers.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Each is passed once by the only turn of the goal, and for the second time by its wrap-up. */
const POINTS = [
  'journal.openTurn:after',
  'journal.beginStep:after',
  'model.call:before',
  'model.call:after',
  'journal.commitStep:before',
  'journal.commitStep:after',
  'record.settleSlice:before',
  'record.settleSlice:after',
];
const faults: Fault[] = POINTS.map((point) => ({ point, time: 2 }));

const asked = new Map<string, number>();
const script: Script = (request) => {
  const goalId = goalIdOf(request) ?? '';
  asked.set(goalId, (asked.get(goalId) ?? 0) + 1);
  return { ...reply.text(`Part ${asked.get(goalId)}`), usage: { input: 1000, output: 10 } };
};

let world: GoalWorld;
let worker: SupervisedWorker;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-wrap-up-'));
  world = await openGoalWorld({ script, worker: false });
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const isStopped = ({ status, activity }: Goal) =>
  status === 'budget_limited' && activity.state === 'idle';

const kindsOf = async (goalId: string) => (await turnsOf(world, goalId)).map(({ kind }) => kind);

// One after the other: a call under which other goals' deaths kill the worker is given up as lost.
for (const fault of faults) {
  test(`M15 there is one wrap-up, also where its worker is killed at ${nameOf(fault)}`, async () => {
    const { goalId } = await world.start({
      objective: 'Tell about it.',
      criteria: [],
      threadId: threadOf([fault], crypto.randomUUID()),
      workspace: { path: await world.workspace({}) },
      budget: { turns: 1 },
    });
    const goal = await world.until(goalId, isStopped, 300_000);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up']);
    const steps = await world.database<{ state: string; estimated: boolean; tokens: number }[]>`
      SELECT state, is_estimated AS estimated,
        input_tokens - cached_input_tokens + output_tokens AS tokens
      FROM step WHERE goal_id = ${goalId} AND turn = 2 ORDER BY attempt`;
    const committed = steps.filter(({ state }) => state === 'committed');
    expect(committed).toEqual([{ state: 'committed', estimated: false, tokens: 1010 }]);
    // What was sent and whose answer died is charged its estimate; nothing else is.
    const lost = steps.filter(({ state }) => state === 'lost');
    expect(lost.every(({ estimated, tokens }) => estimated && tokens > 0)).toBe(true);
    expect(steps).toHaveLength(1 + lost.length);
    expect(asked.get(goalId)).toBeLessThanOrEqual(2 + lost.length);
    expect(goal.usage.tokens).toBe(1010 + steps.reduce((sum, step) => sum + step.tokens, 0));
    // Nobody is asked again until the limit is raised; then there may be one more.
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { objective: 'Tell more.' });
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up']);
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { turns: 3 } });
    await world.until(goalId, isStopped, 300_000);
    expect(await kindsOf(goalId)).toEqual(['start', 'wrap_up', 'resume', 'wrap_up']);
  });
}
