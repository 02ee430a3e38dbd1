import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, sequence } from '../../demo/script.ts';
import { changeDelegatesOf } from '../support/goal-world.ts';
import {
  claim,
  type DelegateWorld,
  delegate,
  newsIn,
  openDelegateWorld,
  wait,
  write,
} from './delegate-world.ts';
import { waitUntil } from './helpers.ts';

const lead = (name: string) => sequence([delegate(`slow ${name}: it`), wait, write, claim]);
const DEAR = { input: 300_000, output: 10 };

let world: DelegateWorld;
beforeAll(async () => {
  world = await openDelegateWorld({
    pauses: lead('pauses'),
    clears: lead('clears'),
    limits: lead('limits'),
    closes: lead('closes'),
    later: (request) =>
      newsIn(request).length === 0
        ? sequence([delegate('find: it', { delaySeconds: 300 }), wait])(request)
        : sequence([reply.text('…'), reply.text('…'), write, claim])(request),
    preempts: sequence([
      reply.calls([
        { tool: 'delegate', input: { task: 'slow preempts: it' } },
        { tool: 'wait_for', input: { file: 'never.txt' } },
      ]),
      write,
      claim,
    ]),
    spends: sequence([delegate('dear: it', { mode: 'agent' }), wait]),
    dear: () => ({ ...reply.text('It was a lot.'), usage: DEAR }),
    deep: (request) => {
      const level = Number(objectiveOf(request).split(': ')[1]);
      const next = delegate(`deep: ${level + 1}`, { mode: 'agent' });
      return sequence([next, wait, write, claim])(request);
    },
  });
});
afterAll(() => world.close());

/** The delegate's goal, once its model was asked. */
async function childOf(goalId: string, name: string): Promise<string> {
  await world.gate(name).reached;
  const row = await waitUntil(async () => (await world.delegates(goalId))[0]);
  return row.goalId ?? '';
}

const send = (goalId: string, what: string, body: object = {}) =>
  world.client.send('POST', `/v1/goals/${goalId}/${what}`, body);
const untilComplete = (goalId: string) =>
  world.until(goalId, ({ status }) => status === 'complete');

describe('what becomes of a goal becomes of its delegates', () => {
  test('paused with it, and resumed with it', async () => {
    const { goalId } = await world.begin('pauses: go');
    const child = await childOf(goalId, 'pauses');
    await send(goalId, 'pause');
    const { pause } = await world.until(child, ({ status }) => status === 'paused');
    expect(pause).toMatchObject({ reason: 'person' });
    expect(await world.delegates(goalId)).toMatchObject([{ state: 'running' }]);
    await send(goalId, 'resume');
    await world.until(child, ({ status }) => status === 'active');
    world.gate('pauses').open();
    await untilComplete(goalId);
    expect(await world.news(goalId)).toHaveLength(1);
  });

  test('cleared with it, and a late result never reaches a later goal of the thread (O28)', async () => {
    const { goalId, threadId } = await world.begin('clears: go');
    const child = await childOf(goalId, 'clears');
    await send(goalId, 'clear');
    await world.until(child, ({ archivedAt }) => archivedAt !== undefined);
    const next = await world.begin('find: something else', { threadId });
    world.gate('clears').open();
    await waitUntil(async () => (await world.delegates(goalId))[0]?.state === 'ended');
    expect(await world.delegates(goalId)).toMatchObject([{ outcome: { kind: 'stopped' } }]);
    expect(await world.news(next.goalId)).toEqual([]);
    await send(next.goalId, 'clear');
  });

  test('stopped where a limit stops it', async () => {
    const { goalId } = await world.begin('limits: go');
    const child = await childOf(goalId, 'limits');
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { turns: 1 } });
    await world.until(goalId, ({ status }) => status === 'budget_limited');
    await world.until(child, ({ archivedAt }) => archivedAt !== undefined);
    world.gate('limits').open();
    expect(await world.delegates(goalId)).toMatchObject([{ outcome: { kind: 'stopped' } }]);
  });

  test('stopped where a person completes it', async () => {
    const { goalId } = await world.begin('closes: go');
    const child = await childOf(goalId, 'closes');
    await send(goalId, 'complete', { result: 'Done by hand.' });
    await world.until(child, ({ archivedAt }) => archivedAt !== undefined);
    world.gate('closes').open();
  });
});

test('O38 a result ends a wait that its goal asked for', async () => {
  const { goalId } = await world.begin('preempts: go');
  await world.until(goalId, ({ activity }) => activity.on === 'condition');
  await world.gate('preempts').reached;
  world.gate('preempts').open();
  await untilComplete(goalId);
  const elections = await world.database<{ state: string }[]>`
    SELECT state FROM election WHERE goal_id = ${goalId}`;
  expect(elections).toEqual([{ state: 'overtaken' }]);
});

describe('a delegate that is asked for later', () => {
  const untilDelayed = (goalId: string) =>
    waitUntil(async () => (await world.delegates(goalId))[0]?.state === 'delayed');

  test('O22 counts in the chain only when it begins, which outlives the turn', async () => {
    const { goalId } = await world.begin('later: go');
    await untilDelayed(goalId);
    await world.until(goalId, ({ activity }) => activity.on === 'delegate');
    expect((await world.delegates(goalId))[0]?.hop).toBeUndefined();
    const sql = world.database;
    await changeDelegatesOf(world, sql`d.parent_goal_id = ${goalId}`, sql`starts_at = now()`);
    await waitUntil(async () => (await world.delegates(goalId))[0]?.hop === 1);
    await untilComplete(goalId);
  });

  test("O23 a person's words before it begins make it void", async () => {
    const { goalId } = await world.begin('later: never');
    await untilDelayed(goalId);
    await send(goalId, 'messages', { text: 'Wait, something else first.' });
    expect(await world.delegates(goalId)).toMatchObject([{ state: 'dropped' }]);
    await send(goalId, 'clear');
  });
});

describe('what delegates cost', () => {
  test('M16 a child can use up the budget of its root, which then wraps up', async () => {
    const { goalId } = await world.begin('spends: go', { budget: { tokens: 200_000 } });
    const { usage, activity } = await world.until(
      goalId,
      ({ status, activity: now }) => status === 'budget_limited' && now.state === 'idle',
    );
    expect(usage.tokens).toBeGreaterThan(300_000);
    expect(usage.own.tokens).toBeLessThan(100_000);
    expect(activity.reason).toContain('tokens');
  });
});

test('delegates of delegates go three deep, each with a share of the share above', {
  tags: 'campaign',
}, async () => {
  const { goalId } = await world.begin('deep: 1');
  await world.until(goalId, ({ status }) => status === 'complete');
  const rows = await world.delegates(goalId);
  expect(rows.map(({ depth, hop }) => [depth, hop])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, undefined],
  ]);
  expect(rows[3]).toMatchObject({ state: 'refused', outcome: { limit: 'delegateDepth' } });
  const shares = rows.flatMap(({ share }) => (share?.tokens ? [share.tokens] : []));
  expect(shares).toHaveLength(3);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
});
