import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { RecordPort } from '../../src/contract/record.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { barrier, temporalClient, turnsOf, waitUntil } from './helpers.ts';

const claim = reply.call('attempt_completion', { result: 'It is written.' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
const look = reply.call('list_files', { glob: '*' });
const next = reply.text('First this, then I will go on.');

/** Three turns that end with words, and one with a claim. */
const script = sequence([look, next, look, next, look, next, write, claim]);
const criteria = [{ kind: 'file', path: 'answer.txt', exists: true } as const];

type Settle = RecordPort['settleSlice'];
/** What the running test puts around the settling of a slice. */
let around: (settle: () => ReturnType<Settle>) => ReturnType<Settle> = (settle) => settle();

const wrapPorts = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  record: {
    ...ports.record,
    settleSlice: (...given) => around(() => ports.record.settleSlice(...given)),
  },
});

let world: GoalWorld;
let temporal: Client;
beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  await world.startWorker(wrapPorts);
  temporal = temporalClient(world);
});
afterAll(async () => {
  await temporal.connection.close();
  await world.close();
});
beforeEach(() => {
  around = (settle) => settle();
});

async function start(): Promise<string> {
  const path = await world.workspace({});
  const objective = 'Write the answer.';
  const { goalId } = await world.start({ objective, criteria, workspace: { path } });
  return goalId;
}

/** Names of the activities that its run scheduled, and how many events lie between them. */
async function scheduledBy(goalId: string) {
  const { events } = await temporal.workflow.getHandle(`goal:${goalId}:1`).fetchHistory();
  return (events ?? []).flatMap(({ eventId, activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [{ name: scheduled.activityType?.name ?? '', at: Number(eventId) }] : [],
  );
}

/** As it went: kinds, decisions and the end are those of any goal. */
async function expectWhole(goalId: string): Promise<void> {
  const goal = await world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.completion?.verification).toBe('verified');
  const turns = await turnsOf(world, goalId);
  expect(turns.map(({ turn, decision }) => [turn, decision?.action])).toEqual([
    [1, 'continue'],
    [2, 'continue'],
    [3, 'continue'],
    [4, 'complete'],
  ]);
  expect(goal.usage.turns).toBe(4);
}

test('ROW-141: a turn that goes on costs one activity and at most 8 events of its history', async () => {
  const goalId = await start();
  await expectWhole(goalId);
  const scheduled = await scheduledBy(goalId);
  const slices = scheduled.filter(({ name }) => name === 'runTurn').map(({ at }) => at);
  const costs = slices.slice(1).map((at, index) => at - (slices[index] ?? 0));
  expect(costs).toHaveLength(3);
  expect(Math.max(...costs)).toBeLessThanOrEqual(8);
  // The claim is settled behind its evidence.
  expect(scheduled.map(({ name }) => name).filter((name) => name === 'recordTurn')).toHaveLength(1);
});

test('ROW-142: a pause between a settled turn and the workflow that hears of it holds, and the goal goes on', async () => {
  const gate = barrier();
  around = async (settle) => {
    const settled = await settle();
    await gate.pass();
    return settled;
  };
  const goalId = await start();
  await gate.reached;
  await world.client.send<Goal>('POST', `/v1/goals/${goalId}/pause`, {});
  around = (settle) => settle();
  gate.open();
  const [first] = await turnsOf(world, goalId);
  expect(first?.decision?.action).toBe('continue');
  expect((await world.get(goalId)).status).toBe('paused');
  const { status } = await temporal.workflow.getHandle(`goal:${goalId}:1`).describe();
  expect(status.name).toBe('RUNNING');
  await world.client.send<Goal>('POST', `/v1/goals/${goalId}/resume`, {});
  const goal = await world.until(goalId, ({ status: now }) => now === 'complete');
  expect(goal.completion?.verification).toBe('verified');
  expect((await turnsOf(world, goalId)).map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
});

test.each<[string, typeof around]>([
  [
    'a workflow of an older build, which does not hear of it',
    async (settle) => settle().then(() => null),
  ],
  ['a worker of an older build, which leaves it to the workflow', async () => null],
])('ROW-143: %s, settles each turn once', async (_, between) => {
  around = between;
  const goalId = await start();
  await expectWhole(goalId);
  const settled = (await scheduledBy(goalId)).filter(({ name }) => name === 'recordTurn');
  expect(settled).toHaveLength(4);
});

test('ROW-144: an attempt that dies behind its commit settles its turn once, and asks no model again', async () => {
  let deaths = 0;
  around = async (settle) => {
    const settled = await settle();
    if (settled === null || deaths > 0) return settled;
    deaths += 1;
    throw new Error('the answer was lost');
  };
  const goalId = await start();
  await expectWhole(goalId);
  expect(deaths).toBe(1);
  const steps = await waitUntil(
    () => world.database<{ state: string }[]>`SELECT state FROM step WHERE goal_id = ${goalId}`,
  );
  expect(steps.map(({ state }) => state)).toEqual(Array(8).fill('committed'));
});
