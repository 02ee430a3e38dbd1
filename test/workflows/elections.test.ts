import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';

const elect = (delaySeconds?: unknown) =>
  reply.call('continue_work', {
    reason: 'CI is running',
    ...(delaySeconds ? { delaySeconds } : {}),
  });

const scripts: Record<string, Script> = {
  once: sequence([elect(1), write, claim]),
  long: sequence([elect(200), write, claim]),
  always: sequence([elect(1)]),
  clamped: sequence([elect(9000), reply.text('It goes on.')]),
  wrong: sequence([reply.call('continue_work', { delaySeconds: 'soon', reason: 'x' }), claim]),
  later: sequence([
    reply.calls([
      { tool: 'continue_work', input: { delaySeconds: 1, reason: 'x' } },
      { tool: 'write_file', input: { path: 'answer.txt', content: '42' } },
    ]),
    write,
    claim,
  ]),
};

/** Wakes that come soon enough for a test. */
const quick = (change: object = {}): Partial<StartGoal> => ({
  policy: { continuation: { delayMinSeconds: 1, ...change } },
});

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

const waiting = (goalId: string) =>
  goals.world.until(goalId, ({ activity }) => activity.on === 'timer');
const eventsOf = async (goalId: string, like: string) =>
  goals.world.database<{ type: string; data: Record<string, unknown> }[]>`
    SELECT type, data FROM event WHERE goal_id = ${goalId} AND type LIKE ${like} ORDER BY seq`;
const saidTo = (goalId: string): string =>
  goals.world.model.requests
    .filter((request) => goalIdOf(request) === goalId)
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join('\n') ?? '';

describe('continue_work', () => {
  test('waits for the clock without a model call, wakes the model once and is told why', async () => {
    const goalId = await goals.start('once', quick());
    const { activity } = await waiting(goalId);
    expect(activity).toMatchObject({ state: 'waiting', actor: 'Clock', on: 'timer' });
    expect(activity.reason).toContain('CI is running');
    expect(Date.parse(activity.until ?? '') - Date.parse(activity.since)).toBe(1000);
    const goal = await goals.rest(goalId);
    expect(goal.status).toBe('complete');
    expect(await goals.story(goalId)).toEqual(['start: 7 wait', 'wake: 4 complete']);
    expect(saidTo(goalId)).toContain('The host wakes you in 1 s.');
    expect(saidTo(goalId)).toMatch(
      /You are woken \d+ s after you asked for it, for: CI is running/,
    );
    expect((await eventsOf(goalId, 'election.%')).map(({ type }) => type)).toEqual([
      'election.granted',
      'election.fired',
    ]);
  });

  test('later calls of its step are refused, and what it asks for is told to be in bounds', async () => {
    const goalId = await goals.start('later', quick());
    await goals.rest(goalId);
    const rows = await goals.world.database<{ outcome: string }[]>`
      SELECT outcome FROM ledger
      WHERE goal_id = ${goalId} AND phase = 'settled' AND call_id LIKE 't1.s1.%'`;
    expect(rows.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'succeeded']);
    const clamped = await goals.start('clamped', quick({ delayMaxSeconds: 1 }));
    await waitUntil(() => saidTo(clamped).includes('asked for 9000 s; the bounds are 1–1 s'));
  });

  test('a delay of the wrong type schedules nothing and is told as an error', async () => {
    const goalId = await goals.start('wrong', quick());
    await goals.rest(goalId);
    expect(saidTo(goalId)).toContain('delaySeconds');
    expect(await eventsOf(goalId, 'election.%')).toEqual([]);
  });

  test('O14 O34 a message during the delay is answered at once, and the timer never fires', async () => {
    const goalId = await goals.start('long', quick());
    await waiting(goalId);
    expect((await goals.world.get(goalId)).chain).toMatchObject({ length: 0 });
    await goals.send(goalId, 'messages', { text: 'How is it going?' });
    const goal = await goals.rest(goalId);
    expect(goal.chain).toBeUndefined();
    expect(await goals.story(goalId)).toEqual(['start: 7 wait', 'message: 4 complete']);
    expect(await eventsOf(goalId, 'election.fired')).toEqual([]);
  });

  test('O35 one wake too many is refused where everybody sees it, and the goal stops by itself', async () => {
    const change = { chainLength: 2, turnsWithoutProgress: 2 };
    const goalId = await goals.start('always', quick(change));
    const goal = await goals.rest(goalId);
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.chain).toMatchObject({ length: 2 });
    expect(await goals.story(goalId)).toEqual([
      'start: 7 wait',
      'wake: 7 wait',
      'wake: 11 nudge',
      'nudge: 10 pause',
    ]);
    const [refused] = await eventsOf(goalId, 'election.refused');
    expect(refused?.data).toMatchObject({ limit: 'chainLength', value: 3, allowed: 2 });
    expect(saidTo(goalId)).toContain('chainLength 3 of at most 2');
  });

  test('O15 a bound that is lowered during the delay is met when it fires', {
    tags: 'campaign',
  }, async () => {
    const goalId = await goals.start('always', quick({ delayDefaultSeconds: 1 }));
    await goals.world.until(goalId, ({ chain }) => chain?.length === 1);
    await goals.amend(goalId, { policy: { continuation: { chainLength: 1 } } });
    const goal = await goals.rest(goalId);
    expect(goal.pause).toMatchObject({ reason: 'no_progress' });
    expect((await eventsOf(goalId, 'election.refused')).length).toBeGreaterThan(0);
  });

  test('O35 a person cancels the chain: the goal pauses, and a second cancel finds none', async () => {
    const goalId = await goals.start('long', quick());
    await waiting(goalId);
    const goal = await goals.send(goalId, 'chain/cancel');
    expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'person' } });
    expect(goal.chain).toBeUndefined();
    const problem = await problemOf(goals.send(goalId, 'chain/cancel'));
    expect(problem.code).toBe('invalid_transition');
    await goals.send(goalId, 'resume');
    expect((await goals.rest(goalId)).status).toBe('complete');
  });

  test('a pause during the delay voids the wake; resuming goes on at once', async () => {
    const goalId = await goals.start('long', quick());
    await waiting(goalId);
    await goals.send(goalId, 'pause');
    const [election] = await goals.world.database<{ state: string }[]>`
      SELECT state FROM election WHERE goal_id = ${goalId}`;
    expect(election?.state).toBe('overtaken');
    await goals.send(goalId, 'resume');
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect(await goals.story(goalId)).toEqual(['start: 7 wait', 'resume: 4 complete']);
  });
});
