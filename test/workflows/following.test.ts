import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatRequest, reply, type Script } from '../../demo/script.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import { createReconcileStore, type ReconcileStore } from '../../src/store/record/reconcile.ts';
import { worldCaller } from '../api/world-calls.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { counting } from './compaction-world.ts';
import { waitUntil } from './helpers.ts';

const environment = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' };
/** An object with a property of that name looks like a promise to linters. */
const THEN = 'then';
const after = [{ objective: 'second: go' }];
const exists = (path: string) => ({ kind: 'file', path, exists: true }) as const;

const steps = (...all: ReturnType<typeof reply.call>[]): Script =>
  counting((_request: ChatRequest, step: number) => all[step - 1] ?? reply.text('?'));

const scripts = {
  first: steps(reply.text('The magic word is xyzzy.'), write, claim),
  second: steps(reply.call('write_file', { path: 'second.txt', content: '2\n' }), claim),
  third: steps(reply.call('write_file', { path: 'third.txt', content: '3\n' }), claim),
  asks: () => reply.call('ask_user', { question: 'Which colour?' }),
};

describe('goals that come right after another', () => {
  let goals: ScriptedGoals;
  let store: ReconcileStore;
  beforeAll(async () => {
    goals = await openScriptedGoals(scripts, { environment });
    store = createReconcileStore(goals.world.store, { ledgerKeys: goals.world.ledgerKeys });
  });
  afterAll(() => goals.world.close());

  const get = (goalId: string) => goals.world.client.get<Goal>(`/v1/goals/${goalId}`);
  const following = (goalId: string) =>
    waitUntil(async () => (await get(goalId)).followedBy ?? false) as Promise<string>;

  test('THN-1 begin in order, each when the one before is complete, and prove themselves alone', async () => {
    const first = await goals.start('first', {
      threadId: 'chain',
      [THEN]: [
        { objective: 'second: go', criteria: [exists('second.txt')] },
        { objective: 'third: go', criteria: [exists('third.txt')], conversation: 'new' },
      ],
    });
    expect((await get(first)).then).toEqual([
      { objective: 'second: go' },
      { objective: 'third: go' },
    ]);
    const second = await following(first);
    const third = await following(second);
    expect(await goals.rest(third)).toMatchObject({ status: 'complete', follows: second });
    const done = await get(second);
    expect(done).toMatchObject({
      status: 'complete',
      threadId: 'chain',
      follows: first,
      continues: first,
      completion: { verification: 'verified' },
    });
    expect((await get(third)).continues).toBeUndefined();
    expect(done.workspace.name).toBe((await get(first)).workspace.name);
    for (const goalId of [first, second, third])
      expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
        holds: true,
      });
    const [told] = goals.world.model.requests.filter((request) =>
      JSON.stringify(request).includes('second: go'),
    );
    expect(JSON.stringify(told)).toContain('xyzzy');
  });

  test('THN-2 have the terms of the first goal where they say nothing else', async () => {
    const goalId = await goals.start('first', {
      budget: { turns: 9 },
      policy: { proof: 'workspace' },
      scope: { change: ['*.txt'] },
      priority: 3,
      [THEN]: [{ objective: 'asks: go', criteria: [], budget: { tokens: 40_000 } }],
    });
    // A proof in the workspace is at most supported, so that a person has the last word.
    await goals.rest(goalId);
    await goals.send(goalId, 'complete', { result: 'Good enough.' });
    const next = await goals.rest(await following(goalId));
    expect(next).toMatchObject({
      budget: { turns: 9, tokens: 40_000 },
      policy: { proof: 'workspace' },
      priority: 3,
      criteria: [],
      mode: 'agent',
    });
  });

  test.each([
    [{ criteria: [{ kind: 'command', command: '' }] }, 'then.0.criteria.0.command'],
    [{ model: 'nobody/knows' }, 'then.0.model'],
    [{ requirements: [{ text: 'x', criteria: ['c9'] }] }, 'then.0.requirements.0.criteria'],
  ])('THN-3 a start is refused for what comes after it: %j', async (wrong, field) => {
    const { status, body } = await worldCaller(goals.world)('POST /v1/goals', {
      body: {
        objective: 'first: go',
        workspace: { path: await goals.world.workspace({}) },
        criteria: [],
        [THEN]: [{ objective: 'second: go', ...wrong }],
      },
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toContain(field);
  });

  test('THN-4 a program asks no more for a goal that comes after than for a first one', async () => {
    const { name } = (await get(await goals.start('asks', {}))).workspace;
    const { status, body } = await worldCaller(goals.world)('POST /v1/goals', {
      role: 'agent',
      body: {
        objective: 'asks: go',
        workspace: { name },
        criteria: [],
        [THEN]: [{ objective: 'second: go', policy: { completion: 'supported' } }],
      },
    });
    expect({ status, field: body.field }).toEqual({
      status: 403,
      field: 'then.0.policy.completion',
    });
  });

  /** A goal that waits for a person; the worker's reconciler does nothing until the deed is done. */
  async function paused(more: Partial<StartGoal>, deed: (goalId: string) => Promise<void>) {
    const goalId = await goals.start('asks', { criteria: [], ...more });
    await goals.rest(goalId);
    await waitUntil(() => store.withReconcilerLock(() => deed(goalId)));
    return get(goalId);
  }
  const complete = (goalId: string) => goals.send(goalId, 'complete', { result: 'Done.' });

  test('THN-9 keep no secret of a webhook in the request, and no secret in their words', async () => {
    const secret = `sk-ant-api03-${'k'.repeat(40)}`;
    const notify = [{ url: 'https://hooks.example', secret: 'a-secret-of-a-webhook' }];
    const goalId = await goals.start('asks', {
      criteria: [],
      [THEN]: [{ objective: `second: with ${secret}`, notify }],
    });
    const rows = await goals.world.database`
      SELECT (SELECT string_agg(r.body::text, '') FROM request r WHERE r.goal_id = ${goalId}) AS asked,
        goals::text AS goals FROM following_goals WHERE goal_id = ${goalId}`;
    const [{ asked = '', goals: kept = '' } = {}] = rows;
    expect(asked).toContain('second: with');
    for (const text of [asked, kept]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('a-secret-of-a-webhook');
    }
  });

  test('THN-5 begin once, however often it is tried', async () => {
    const before = await paused({ [THEN]: after }, async (goalId) => {
      await store.beginFollowing();
      expect((await get(goalId)).followedBy).toBeUndefined();
      await complete(goalId);
      await Promise.all([1, 2, 3].map(() => store.beginFollowing()));
    });
    expect(before.archivedAt).toBeDefined();
    const rows = await goals.world.database`
      SELECT goal_id FROM goal WHERE thread_id = ${before.threadId} ORDER BY created_at`;
    expect(rows.map(({ goal_id }) => goal_id)).toEqual([before.goalId, before.followedBy]);
  });

  test('THN-6 never begin where they were dropped, or the goal was cleared', async () => {
    const dropped = await paused({ [THEN]: after }, async (goalId) => {
      expect((await goals.amend(goalId, { dropThen: true })).then).toBeUndefined();
      await complete(goalId);
      await store.beginFollowing();
    });
    const cleared = await paused({ [THEN]: after }, async (goalId) => {
      await goals.send(goalId, 'clear');
      await store.beginFollowing();
    });
    expect([dropped.followedBy, cleared.followedBy]).toEqual([undefined, undefined]);
  });

  test('THN-7 have a thread of their own where another goal took the thread first', async () => {
    let other = '';
    const before = await paused({ [THEN]: after, threadId: 'taken' }, async (goalId) => {
      await complete(goalId);
      other = await goals.start('asks', { threadId: 'taken' });
      await store.beginFollowing();
    });
    expect((await get(before.followedBy ?? '')).threadId).not.toBe('taken');
    expect((await get(other)).archivedAt).toBeUndefined();
  });

  test('THN-8 are not begun for a token that has ended, and that is told', async () => {
    const { followedBy, thenRefused } = await paused({ [THEN]: after }, async (goalId) => {
      await complete(goalId);
      await goals.world.database`
        INSERT INTO token (name, secret_hash, role, created_by, revoked_at)
        SELECT created_by, 'none', 'operator', 'test', now() FROM goal WHERE goal_id = ${goalId}`;
      await store.beginFollowing();
    });
    expect({ followedBy, thenRefused }).toEqual({
      followedBy: undefined,
      thenRefused: expect.stringMatching(/has ended/),
    });
  });
});
