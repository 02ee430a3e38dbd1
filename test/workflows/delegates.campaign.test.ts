import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, objectiveOf, reply, sequence } from '../../demo/script.ts';
import { changeDelegatesOf } from '../support/goal-world.ts';
import {
  behindNews,
  claim,
  type DelegateWorld,
  delegate,
  newsIn,
  openDelegateWorld,
  wait,
  write,
} from './delegate-world.ts';
import { turnsOf, waitUntil } from './helpers.ts';

const six = reply.calls(
  [1, 2, 3, 4, 5, 6].map((n) => ({ tool: 'delegate', input: { task: `find: number ${n}` } })),
);

let world: DelegateWorld;
beforeAll(async () => {
  world = await openDelegateWorld({
    fail: sequence([
      reply.call('report_blocker', { kind: 'external', blocker: 'The notes are sealed.' }),
    ]),
    'one lookup': sequence([delegate('find: the answer'), wait, write, claim]),
    /** An empty reply is no message of its own, so it isn't counted. */
    'no words': (request) =>
      newsIn(request).length === 0
        ? sequence([delegate('find: the answer'), reply.empty()])(request)
        : sequence([reply.empty(), write, claim])(request),
    blocked: sequence([delegate('fail: the answer'), wait, write, claim]),
    six: (request) =>
      newsIn(request).length < 5
        ? sequence([six, wait])(request)
        : sequence([write, claim])(behindNews(request, 5)),
    broken: (request) =>
      request.messages.some(({ role }) => role === 'assistant')
        ? { text: '', finishReason: 'tool_calls' }
        : delegate('find: the answer'),
    capped: sequence([
      reply.calls([
        { tool: 'delegate', input: { task: 'find: first' } },
        { tool: 'delegate', input: { task: 'find: second' } },
      ]),
      wait,
      write,
      claim,
    ]),
    circle: sequence([delegate('circle:  GO'), wait, write, claim]),
    odd: sequence([
      delegate('find: it', { mode: 'root', delaySeconds: 'soon' }),
      delegate('slow never: it', { return: 'silent', delaySeconds: 9000 }),
      write,
      claim,
    ]),
    hands: sequence([delegate('worker: write it', { mode: 'agent' }), wait, claim]),
    worker: sequence([write, claim]),
    quiet: async (request) => {
      const asked = request.messages.filter(({ role }) => role === 'assistant').length;
      if (asked === 2) await waitUntil(() => hasNews(goalIdOf(request) ?? ''));
      const goOn = reply.text('I go on.');
      return await sequence([delegate('find: it', { return: 'silent' }), goOn, goOn, write, claim])(
        request,
      );
    },
    tokens: sequence([
      reply.text('I hand it over.\n[[CONTINUE_DELEGATE: find: the answer | silent-wake]]'),
      wait,
      write,
      claim,
    ]),
    unseen: sequence([delegate('find: it', { return: 'silent_wake' }), wait, write, claim]),
  });
});
afterAll(() => world.close());

const hasNews = async (goalId: string) => (await world.news(goalId)).length > 0;

const untilComplete = (goalId: string) =>
  world.until(goalId, ({ status }) => status === 'complete');

describe('a goal that delegates', () => {
  test('O20 waits without a timer, and is woken with the finding, which it gets once (C8)', async () => {
    const { goalId } = await world.begin('one lookup: go');
    const waiting = await waitUntil(async () => {
      const { activity } = await world.get(goalId);
      return activity.on === 'delegate' ? activity : null;
    });
    expect(waiting).toMatchObject({ state: 'waiting', actor: 'Team' });
    expect(waiting.until).toBeUndefined();
    const parent = await untilComplete(goalId);
    const [row, ...others] = await world.delegates(goalId);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ state: 'ended', depth: 1, hop: 1, outcome: { kind: 'finding' } });
    const child = await world.get(row?.goalId ?? '');
    expect(child).toMatchObject({ status: 'complete', mode: 'gather', parentGoalId: goalId });
    expect(child.threadId).not.toBe(parent.threadId);
    expect(child.completion).toMatchObject({ source: 'implicit', verification: 'supported' });
    const [letter, ...more] = await world.news(goalId);
    expect(more).toEqual([]);
    expect(letter).toContain('&lt;finding> Let me know');
    expect(letter).toMatch(/ledger rows \d+/);
    const kinds = (await turnsOf(world, goalId)).map(({ kind, decision }) => [
      kind,
      decision?.rule,
    ]);
    expect(kinds).toEqual([
      ['start', 7],
      ['wake', 4],
    ]);
    const told = world.requests.filter(
      (request) => objectiveOf(request).startsWith('one lookup') && newsIn(request).length > 0,
    );
    expect(told.length).toBeGreaterThan(0);
    for (const request of told) expect(newsIn(request)).toHaveLength(1);
  });

  test('M16 pays for them: its usage holds theirs once, and says what is its own', async () => {
    const { goalId } = await world.begin('one lookup: pay', { budget: { tokens: 900_000 } });
    await untilComplete(goalId);
    const [row] = await world.delegates(goalId);
    const child = await world.get(row?.goalId ?? '');
    const { usage } = await world.get(goalId);
    expect(child.usage.tokens).toBeGreaterThan(0);
    expect(usage.tokens).toBe(usage.own.tokens + child.usage.tokens);
    expect(usage.turns).toBe(usage.own.turns + child.usage.turns);
    expect(row?.share?.tokens).toBeLessThan(450_000);
    expect(row?.share?.tokens).toBe(child.budget.tokens);
    // As if its end had been told twice, or been lost with its worker.
    const sql = world.database;
    const which = sql`d.delegate_id = ${row?.delegateId ?? ''}`;
    await changeDelegatesOf(world, which, sql`state = 'running'`);
    await waitUntil(async () => (await world.delegates(goalId))[0]?.state === 'ended');
    expect((await world.get(goalId)).usage).toEqual(usage);
    expect(await world.news(goalId)).toHaveLength(1);
  });

  test('O21 may end its turn without a word: what it asked for still begins', async () => {
    const { goalId } = await world.begin('no words: go');
    await untilComplete(goalId);
    expect((await world.delegates(goalId))[0]).toMatchObject({ outcome: { kind: 'finding' } });
  });

  test('hears of a delegate that failed with its reason, and never as of a finding', async () => {
    const { goalId } = await world.begin('blocked: go');
    await untilComplete(goalId);
    const [row] = await world.delegates(goalId);
    expect(row).toMatchObject({ state: 'ended', outcome: { kind: 'failed' } });
    const [letter] = await world.news(goalId);
    expect(letter).toContain('blocked: The notes are sealed.');
    expect(letter).not.toContain('<finding>');
    expect((await world.get(row?.goalId ?? '')).archivedAt).toBeDefined();
  });

  test('O29 gets an error for the sixth of a turn, and the results of five', async () => {
    const { goalId } = await world.begin('six: go');
    await untilComplete(goalId);
    const rows = await world.delegates(goalId);
    expect(rows.map(({ hop }) => hop)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(await world.news(goalId)).size).toBe(5);
    const [refused] = await world.database<{ text: string }[]>`
      SELECT content->>'text' AS text FROM message
      WHERE goal_id = ${goalId} AND content->>'isError' = 'true'`;
    expect(refused?.text).toContain('5 delegates were asked for in this turn already');
  });

  test('O30 drops what a failed turn asked for, visibly', async () => {
    const { goalId } = await world.begin('broken: go');
    await world.until(goalId, ({ pause }) => pause?.reason === 'protocol_error');
    expect(await world.delegates(goalId)).toMatchObject([{ state: 'dropped' }]);
    expect(await world.events(goalId, 'delegate.dropped')).toHaveLength(1);
    expect((await world.database`SELECT 1 FROM goal WHERE parent_goal_id = ${goalId}`).count).toBe(
      0,
    );
  });

  test('O18 O19 O35 a refused one is a typed event with limit and value, is told, and does not count', async () => {
    const policy = { continuation: { delegatesRunning: 1 } };
    const { goalId } = await world.begin('capped: go', { policy });
    await untilComplete(goalId);
    const [first, second] = await world.delegates(goalId);
    expect(first).toMatchObject({ state: 'ended', hop: 1 });
    expect(second).toMatchObject({ state: 'refused', outcome: { limit: 'delegatesRunning' } });
    expect(second?.hop).toBeUndefined();
    const refused = { limit: 'delegatesRunning', value: 2, allowed: 1 };
    expect(await world.events(goalId, 'delegate.refused')).toMatchObject([refused]);
    expect((await world.news(goalId)).join()).toContain('did not begin: delegatesRunning 2');
  });

  test('is refused a delegate that would do the very same', async () => {
    const { goalId } = await world.begin('circle: go');
    await untilComplete(goalId);
    expect(await world.delegates(goalId)).toMatchObject([
      { state: 'refused', outcome: { limit: 'cycle' } },
    ]);
  });

  test('bad input: unknown modes are refused by name, delays are clamped and that is said', async () => {
    const { goalId } = await world.begin('odd: go');
    await untilComplete(goalId);
    const results = await world.database<{ text: string }[]>`
      SELECT content->>'text' AS text FROM message
      WHERE goal_id = ${goalId} AND content->>'tool' = 'delegate' ORDER BY seq`;
    expect(results[0]?.text).toMatch(/mode: .*delaySeconds: /);
    expect(results[1]?.text).toContain('You asked for 9000 s; the bounds are 5–300 s.');
    // Asked for in the turn that completed the goal.
    expect(await world.delegates(goalId)).toMatchObject([{ state: 'dropped' }]);
  });

  test('may let a delegate write in its workspace while it waits, and proves the result itself', async () => {
    const { goalId } = await world.begin('hands: go');
    const { completion } = await untilComplete(goalId);
    expect(completion).toMatchObject({ verification: 'verified', changedFiles: [] });
    const [row] = await world.delegates(goalId);
    expect(row).toMatchObject({ mode: 'agent', outcome: { kind: 'finding' } });
    expect((await world.news(goalId))[0]).toContain('changed files: "answer.txt"');
  });

  test('a silent result neither wakes it nor is shown; its next turn has it', async () => {
    const { goalId } = await world.begin('quiet: go');
    await untilComplete(goalId);
    const [row] = await world.delegates(goalId);
    expect(row).toMatchObject({ return: 'silent', outcome: { kind: 'finding' } });
    const rules = (await turnsOf(world, goalId)).map(({ decision }) => decision?.rule);
    expect(rules.slice(0, 2)).toEqual([11, 11]);
    expect(JSON.stringify(await messagesOf(goalId))).not.toContain('Delegate d-');
  });

  test('O5 O9 delegates by text token as by the tool, where that is turned on', async () => {
    const { goalId } = await world.begin('tokens: go', { textTokens: true });
    await untilComplete(goalId);
    const asked = { task: 'find: the answer', return: 'silent_wake' };
    expect(await world.delegates(goalId)).toMatchObject([{ ...asked, state: 'ended' }]);
    expect(JSON.stringify(await messagesOf(goalId))).not.toContain('CONTINUE_DELEGATE');
  });

  test('a silent wake wakes it, and people see no message', async () => {
    const { goalId } = await world.begin('unseen: go');
    await untilComplete(goalId);
    expect((await turnsOf(world, goalId)).map(({ kind }) => kind)).toEqual(['start', 'wake']);
    expect(await world.news(goalId)).toHaveLength(1);
    expect(JSON.stringify(await messagesOf(goalId))).not.toContain('Delegate d-');
  });
});

const messagesOf = async (goalId: string) => {
  const { items } = await world.client.get<{ items: { messages: unknown[] }[] }>(
    `/v1/goals/${goalId}/turns?limit=100`,
  );
  return items.flatMap(({ messages }) => messages);
};
