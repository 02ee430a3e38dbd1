import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assistantMessages, goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import type { Counters } from '../../src/contract/decision.ts';
import type { GoalState } from '../../src/contract/goal-state.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { barrier, holdModelCalls, temporalClient } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Shall I go on?' });
const todos = [
  { content: 'Look around', status: 'in_progress' },
  { content: 'Write the answer', status: 'pending' },
];

/** Reads what isn't there and means to go on: no receipt, whatever it says. */
const promises: Script = (request) => {
  const position = assistantMessages(request);
  return position % 2 === 0
    ? reply.call('read_file', { path: `missing-${position}.txt` })
    : reply.text('Now I need to look at the files.');
};

const scripts: Record<string, Script> = {
  asks: sequence([ask, write, claim]),
  keeps: sequence([reply.call('todo_write', { todos }), reply.call('list_files', {}), claim]),
  promises,
};

const { held, wrapPorts } = holdModelCalls();

let goals: ScriptedGoals;
let temporal: Client;
let worker: RunningWorker;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { worker: false });
  worker = await goals.world.startWorker(wrapPorts);
  temporal = temporalClient(goals.world);
});
afterAll(async () => {
  await temporal.connection.close();
  await goals.world.close();
});
beforeEach(() => {
  Object.assign(held, { at: 0, calls: 0, gate: barrier() });
});

/** The old worker hands back what it has; the new one knows only what is recorded. */
async function restart(): Promise<void> {
  worker.stop();
  held.gate.open();
  await worker.done;
  worker = await goals.world.startWorker(wrapPorts);
}

const stateOf = (goalId: string) =>
  temporal.workflow.getHandle(`goal:${goalId}:1`).query<GoalState>('state');

async function recorded(goalId: string) {
  const { client, database } = goals.world;
  const { items } = await client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goalId}/ledger?limit=200`,
  );
  const [row] = await database<{ counters: Counters }[]>`
    SELECT counters FROM goal WHERE goal_id = ${goalId}`;
  const list = await client.get<object>(`/v1/goals/${goalId}/todos`);
  return { ledger: items, list, counters: row?.counters };
}

describe('a worker that is replaced by another one', () => {
  test('M21 leaves a paused goal paused: nothing runs until a person speaks', async () => {
    const { goalId } = await goals.run('asks');
    const before = await goals.world.get(goalId);
    await restart();
    // The new worker answers from the replayed history.
    const state = await stateOf(goalId);
    expect(state).toMatchObject({ revision: before.revision, chart: { value: 'paused' } });
    // A goal that ran no command shows what its worker offers: until the new one is seen, nothing.
    const isolation = async () => (await goals.world.get(goalId)).isolation;
    await expect.poll(isolation).toBe(before.isolation);
    expect(await goals.world.get(goalId)).toEqual(before);
    const calls = goals.world.model.requests.filter((asked) => goalIdOf(asked) === goalId);
    expect(calls).toHaveLength(1);
    const answer = { questionId: before.pause?.questionId, text: 'Go on.' };
    await goals.send(goalId, 'answers', answer);
    await goals.world.until(goalId, ({ status }) => status === 'complete');
  });

  test('R42 finds the same receipts, the same list and the same number of refusals', async () => {
    held.at = 5;
    const goalId = await goals.start('keeps');
    await held.gate.reached;
    const before = await recorded(goalId);
    expect(before.counters).toMatchObject({ refusalsInRow: 2, lastMissing: ['t1', 't2'] });
    await restart();
    const goal = await goals.rest(goalId);
    expect(goal.pause).toMatchObject({ reason: 'gate_exhausted', missing: ['t1', 't2'] });
    const after = await recorded(goalId);
    expect(after.ledger.slice(0, before.ledger.length)).toEqual(before.ledger);
    expect(after.list).toEqual(before.list);
    expect(after.counters).toMatchObject({ refusalsInRow: 3, refusalsWithoutBest: 3 });
    expect((await stateOf(goalId)).counters).toEqual(after.counters);
    expect(await goals.story(goalId)).toEqual([
      'start: 4 refuse',
      'nudge: 4 refuse',
      'nudge: 4 pause',
    ]);
  });

  test('F13 counts on: after three "go on" without a receipt the fourth names what is missing', async () => {
    held.at = 5;
    const goalId = await goals.start('promises');
    await held.gate.reached;
    await restart();
    await goals.world.until(goalId, ({ usage }) => usage.turns > 4);
    await goals.send(goalId, 'pause');
    expect((await goals.story(goalId)).slice(0, 4)).toEqual([
      'start: 11 continue',
      'nudge: 11 continue',
      'nudge: 11 continue',
      'nudge: 11 nudge',
    ]);
  });
});
