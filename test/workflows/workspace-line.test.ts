import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Go on?' });
const signOff = reply.call('complete_step', {
  step: 'Check it',
  result: 'It is right.',
  evidence: [{ kind: 'verification', summary: 'green', command: 'test -e .' }],
});
const scripts: Record<string, Script> = {
  /** Holds the workspace until its test lets it go. */
  hold: sequence([
    reply.call('run_command', { command: 'until [ -e go ]; do sleep 0.05; done' }),
    ask,
  ]),
  queue: sequence([reply.call('run_command', { command: 'date +%s%N >> order' }), ask]),
  checks: sequence([
    reply.call('todo_write', { todos: [{ content: 'Check it', status: 'in_progress' }] }),
    reply.call('run_command', { command: 'test -e .' }),
    ask,
    signOff,
    reply.call('run_command', { command: 'test -e .' }),
    signOff,
    ask,
  ]),
  writes: sequence([reply.call('write_file', { path: 'other.txt', content: 'mine' }), ask]),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

const startIn = (path: string, objective: string, more: Partial<StartGoal> = {}) =>
  world.start({ objective, workspace: { path }, criteria: [], ...more });

async function inLine(path: string) {
  const { items } = await world.client.get<{ items: Line[] }>('/v1/workspaces');
  return items.find((one) => one.path === path)?.queue ?? [];
}
interface Line {
  readonly path: string;
  readonly queue: readonly { readonly goalId: string; readonly priority: number }[];
}

const untilWaiting = (goalId: string) =>
  world.until(goalId, ({ activity }) => activity.on === 'workspace');

const untilAsked = (goalId: string) =>
  world.until(goalId, ({ pause }) => pause?.reason === 'question');

describe('goals that wait for one workspace', () => {
  test('get it in the order in which they came, woken at once, two revisions each', async () => {
    const path = await world.workspace({});
    const first = await startIn(path, 'hold: first');
    await waitUntil(async () => (await world.get(first.goalId)).usage.steps > 0);
    const waiting: string[] = [];
    const revisions = new Map<string, number>();
    for (const name of ['one', 'two', 'three']) {
      const { goalId } = await startIn(path, `queue: ${name}`);
      waiting.push(goalId);
      revisions.set(goalId, (await untilWaiting(goalId)).revision);
    }
    // Longer than any poll that would change a row.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    for (const goalId of waiting) {
      expect((await world.get(goalId)).revision).toBe(revisions.get(goalId));
    }
    const [one = ''] = waiting;
    const amended = await world.client.send<{ revision: number }>('PATCH', `/v1/goals/${one}`, {
      budget: { turns: 60 },
      expectedRevision: revisions.get(one),
    });
    expect(amended.revision).toBe((revisions.get(one) ?? 0) + 1);
    await writeFile(join(path, 'go'), '');
    const begun = Date.now();
    for (const goalId of waiting) await untilAsked(goalId);
    expect(Date.now() - begun).toBeLessThan(60_000);
    const leased = await world.database<{ goal_id: string; at: string }[]>`
      SELECT goal_id, min(at) AS at FROM ledger WHERE tool = 'run_command'
        AND goal_id IN ${world.database(waiting)} GROUP BY goal_id ORDER BY 2`;
    expect(leased.map(({ goal_id }) => goal_id)).toEqual(waiting);
    const [last = ''] = waiting.toReversed();
    // Begin and end of the wait, then the turn that asked.
    expect((await world.get(last)).revision).toBeLessThanOrEqual((revisions.get(last) ?? 0) + 2);
    expect((await world.database`SELECT 1 FROM workspace_queue`).count).toBe(0);
  });

  test('leave the line when they are paused, and stand at its end when they come back', async () => {
    const path = await world.workspace({});
    const first = await startIn(path, 'hold: first');
    await waitUntil(async () => (await world.get(first.goalId)).usage.steps > 0);
    const leaver = await startIn(path, 'queue: leaver');
    await untilWaiting(leaver.goalId);
    const stayer = await startIn(path, 'queue: stayer');
    await untilWaiting(stayer.goalId);
    await world.client.send('POST', `/v1/goals/${leaver.goalId}/pause`, {});
    await writeFile(join(path, 'go'), '');
    await untilAsked(stayer.goalId);
    expect((await world.get(leaver.goalId)).pause?.reason).toBe('person');
    await world.client.send('POST', `/v1/goals/${leaver.goalId}/resume`, {});
    await untilAsked(leaver.goalId);
    expect(existsSync(join(path, 'order'))).toBe(true);
  });

  test('THR-5 go by priority, which a person changes while they wait', async () => {
    const path = await world.workspace({});
    const holder = await startIn(path, 'hold: it');
    await waitUntil(async () => (await world.get(holder.goalId)).usage.steps > 0);
    const ids: Record<string, string> = {};
    for (const [name, priority] of [
      ['low', -1],
      ['usual', 0],
      ['raised', 0],
    ] as const) {
      const { goalId } = await startIn(path, `queue: ${name}`, { priority });
      ids[name] = goalId;
      await untilWaiting(goalId);
    }
    const queue = async () => (await inLine(path)).map(({ goalId }) => goalId);
    expect(await queue()).toEqual([ids.usual, ids.raised, ids.low]);
    await world.client.send('PATCH', `/v1/goals/${ids.raised}`, { priority: 5 });
    expect(await queue()).toEqual([ids.raised, ids.usual, ids.low]);
    await writeFile(join(path, 'go'), '');
    for (const goalId of Object.values(ids)) await untilAsked(goalId);
    const order = await world.database<{ goal_id: string }[]>`
      SELECT goal_id FROM ledger WHERE tool = 'run_command'
        AND goal_id IN ${world.database(Object.values(ids))} GROUP BY goal_id ORDER BY min(at)`;
    expect(order.map(({ goal_id }) => goal_id)).toEqual([ids.raised, ids.usual, ids.low]);
  });

  test('are notified by the reconciler where the notification was lost', async () => {
    const path = await world.workspace({});
    const first = await startIn(path, 'hold: first');
    await waitUntil(async () => (await world.get(first.goalId)).usage.steps > 0);
    const waiter = await startIn(path, 'queue: waiter');
    const { workspace } = await untilWaiting(waiter.goalId);
    // The lease goes without any commit that would notify.
    await world.database`
      UPDATE workspace SET lease_goal_id = NULL, lease_epoch = NULL WHERE name = ${workspace.name}`;
    await untilAsked(waiter.goalId);
    await writeFile(join(path, 'go'), '');
  });
});

describe('two goals that write in turn', () => {
  test("R39 a check that one ran goes stale by the other's write, until it is run again", async () => {
    const path = await world.workspace({});
    const checker = await startIn(path, 'checks: it');
    const asked = await untilAsked(checker.goalId);
    const writer = await startIn(path, 'writes: over it');
    await untilAsked(writer.goalId);
    await world.client.send('POST', `/v1/goals/${checker.goalId}/answers`, {
      questionId: asked.pause?.questionId,
      text: 'Yes.',
    });
    await world.until(
      checker.goalId,
      ({ pause }) => pause !== undefined && pause.questionId !== asked.pause?.questionId,
    );
    const { items } = await world.client.get<{ items: LedgerRow[] }>(
      `/v1/goals/${checker.goalId}/ledger?tool=complete_step`,
    );
    const settled = items.filter(({ phase }) => phase === 'settled');
    expect(settled.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
    expect(settled[0]?.receipt?.reason).toContain('Another goal wrote');
    const todos = await world.client.get<TodoList>(`/v1/goals/${checker.goalId}/todos`);
    expect(todos.items).toMatchObject([{ status: 'completed' }]);
  });
});
