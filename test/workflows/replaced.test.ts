import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { worldCaller } from '../api/world-calls.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';

const scripts = {
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
  asks: sequence([reply.call('ask_user', { question: 'Which colour?' })]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

/** The answer, or the problem, of `PUT …/goal`. */
async function put(threadId: string, name: string, slot: object) {
  const body = {
    objective: `${name}: go`,
    workspace: { path: await goals.world.workspace({}) },
    criteria: [],
    ...slot,
  };
  return worldCaller(goals.world)(`PUT /v1/threads/${threadId}/goal`, { body, role: 'admin' });
}
const current = (threadId: string) => goals.world.client.get<Goal>(`/v1/threads/${threadId}/goal`);

async function inTurn(threadId: string): Promise<string> {
  const goalId = await goals.start('hangs', { threadId });
  await goals.asked(goalId);
  return goalId;
}

/** Runs `queue` while the goal's row is locked, and lets go when so many transactions wait for it. */
async function whileLocked<Result>(
  goalId: string,
  waiting: number,
  queue: () => Promise<Result>,
): Promise<Result> {
  const { database } = goals.world;
  const queued: Promise<Result>[] = [];
  await database.begin(async (tx) => {
    await tx`SELECT 1 FROM goal WHERE goal_id = ${goalId} FOR UPDATE`;
    queued.push(queue());
    await waitUntil(async () => {
      const stuck = await database`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return stuck.count >= waiting;
    });
  });
  return queued[0] as Promise<Result>;
}

describe('a goal that is replaced in the middle of a turn', () => {
  test('M3 of two queued replacements the second looks again at whom it replaces, and is refused', async () => {
    const first = await inTurn('t-queued');
    const slot = { expectedGoalId: first, replace: true };
    const results = await whileLocked(first, 2, () =>
      Promise.all([put('t-queued', 'asks', slot), put('t-queued', 'asks', slot)]),
    );
    const [won, lost] = results.toSorted((a, b) => a.status - b.status);
    const { goalId } = won?.body ?? {};
    expect((await current('t-queued')).goalId).toBe(goalId);
    expect(lost?.body).toMatchObject({
      status: 409,
      code: 'goal_conflict',
      expectedGoalId: first,
      actualGoalId: goalId,
    });
    const rows = await goals.world.database`SELECT 1 FROM goal WHERE thread_id = 't-queued'`;
    expect(rows.count).toBe(2);
  });

  test('M4 can no longer be completed, paused or cleared, and its successor does not notice', async () => {
    const old = await inTurn('t-late');
    const { body: next } = await put('t-late', 'asks', { expectedGoalId: old, replace: true });
    const { goalId } = next;
    const before = await goals.rest(goalId);
    for (const [what, body] of [
      ['complete', { result: 'Done.' }],
      ['pause', {}],
      ['clear', {}],
    ] as const) {
      expect(await problemOf(goals.send(old, what, body))).toMatchObject({
        code: 'invalid_transition',
      });
    }
    const refused = await worldCaller(goals.world)('DELETE /v1/threads/t-late/goal', {
      body: { expectedGoalId: old },
    });
    expect(refused.body).toMatchObject({ code: 'goal_conflict', actualGoalId: goalId });
    expect(await current('t-late')).toEqual(before);
  });

  test('M5 pays for its own late call; the new goal has only its own', async () => {
    const old = await inTurn('t-bill');
    const { body: next } = await put('t-bill', 'asks', { expectedGoalId: old, replace: true });
    const { goalId } = next;
    await goals.rest(goalId);
    const charged = await waitUntil(async () => {
      const { usage } = await goals.world.get(old);
      return usage.tokens > 0 ? usage : null;
    });
    expect(charged.steps).toBe(1);
    const [own] = await goals.world.database<{ tokens: number }[]>`
      SELECT sum(input_tokens - cached_input_tokens + output_tokens)::int AS tokens
      FROM step WHERE goal_id = ${goalId}`;
    const { usage } = await goals.world.get(goalId);
    expect(usage).toMatchObject({ turns: 1, steps: 1, tokens: own?.tokens });
  });
});

test('a replacement in the same workspace goes on there, although the old goal was in a turn', async () => {
  const workspace = { path: await goals.world.workspace({}) };
  const old = await goals.start('hangs', { threadId: 't-tree', workspace });
  await goals.asked(old);
  const slot = { expectedGoalId: old, replace: true, workspace };
  const { body: next } = await put('t-tree', 'asks', slot);
  const goal = await goals.rest(next.goalId);
  expect(goal.pause?.reason).toBe('question');
  expect((await goals.world.get(old)).archivedAt).toBeDefined();
});

describe('the slot of a thread', () => {
  test('M2 a caller that expects no goal learns of the one that is there', async () => {
    const goalId = await inTurn('t-taken');
    const { revision } = await goals.world.get(goalId);
    const { body: problem } = await put('t-taken', 'asks', { expectedGoalId: null });
    expect(problem).toMatchObject({
      code: 'goal_conflict',
      expectedGoalId: null,
      actualGoalId: goalId,
      actualRevision: revision,
    });
    // Also of one that nothing would keep from giving way.
    await goals.send(goalId, 'complete', { result: 'Good enough.' });
    const { body: again } = await put('t-taken', 'asks', { expectedGoalId: null });
    expect(again).toMatchObject({ code: 'goal_conflict', actualGoalId: goalId });
  });

  test('M24 is taken while its goal is unfinished, and free again when that is complete', async () => {
    const goalId = await inTurn('t-again');
    expect((await put('t-again', 'asks', {})).body).toMatchObject({ code: 'goal_conflict' });
    await goals.send(goalId, 'complete', { result: 'Good enough.' });
    const { body: next } = await put('t-again', 'asks', {});
    expect(next.goalId).not.toBe(goalId);
    expect(next.usage.tokens).toBe(0);
    expect((await goals.world.get(goalId)).status).toBe('complete');
  });
});
