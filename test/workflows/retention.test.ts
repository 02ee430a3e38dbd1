import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { pruneEvents } from '../../src/store/retention/prune-events.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';

let world: GoalWorld;
beforeAll(async () => {
  const script = sequence([reply.call('ask_user', { question: 'Go on?' })]);
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

/** The first event that the goal's stream sends behind this one. */
async function firstBehind(goalId: string, after: number) {
  const stopped = new AbortController();
  const answer = await fetch(`${world.url}/v1/goals/${goalId}/events?after=${after}`, {
    headers: { authorization: `Bearer ${TOKENS.admin}` },
    signal: stopped.signal,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const decoder = new TextDecoder();
  while (!/^data: .*\n/m.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  stopped.abort();
  const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
  return { id: /^id: (.*)$/m.exec(text)?.[1], event: /^event: (.*)$/m.exec(text)?.[1], data };
}

test('RET-7 who reads from before what was removed gets the goal as it is, and history says what is gone', async () => {
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: 'ask', workspace: { path }, criteria: [] });
  await world.until(goalId, ({ pause }) => pause?.reason === 'question');
  await world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'by hand' });
  await world.until(goalId, ({ status }) => status === 'complete');
  expect((await firstBehind(goalId, 0)).event).not.toBe('events.pruned');
  await world.database`UPDATE goal SET updated_at = updated_at - interval '40 days'
    WHERE goal_id = ${goalId}`;
  await world.database`UPDATE event SET at = at - interval '40 days' WHERE goal_id = ${goalId}`;
  const count = await pruneEvents(world.store.sql, world.ledgerKeys, 30);
  expect(count).toBeGreaterThan(3);
  const told = await firstBehind(goalId, 1);
  expect(told).toMatchObject({
    ...{ id: `${goalId}:${count}`, event: 'events.pruned' },
    data: { data: { after: 1, prunedTo: count, goal: { goalId, status: 'complete' } } },
  });
  await expect(world.client.get(`/v1/goals/${goalId}/history/point?seq=2`)).rejects.toMatchObject({
    problem: { code: 'no_longer_kept', status: 410, prunedTo: count },
  });
  const history = await world.client.get<{ items: unknown[] }>(`/v1/goals/${goalId}/history`);
  expect(history.items.length).toBeGreaterThan(1);
});
