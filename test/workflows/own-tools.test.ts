import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { reply, sequence } from '../../demo/script.ts';
import { runGoal } from '../../examples/own-client/run-goal.ts';
import { startWorker } from '../../examples/own-tools/worker.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import {
  answerOf,
  createClient,
  createWorker,
  defineTool,
  type RunningWorker,
} from '../../src/index.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';

const opened: [title: string, key: string][] = [];
const desk = {
  open: async (title: string, key: string) => {
    if (title === 'broken') throw new Error('the desk is closed');
    opened.push([title, key]);
    return `T-${opened.length}`;
  },
};

const script = sequence([
  reply.call('open_ticket', { title: '' }),
  reply.call('open_ticket', { title: 'broken' }),
  reply.call('open_ticket', { title: 'The lamp flickers' }),
  reply.call('ask_user', { question: 'What comes next?' }),
]);

let world: GoalWorld;
let worker: RunningWorker;
beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  const provider = createOpenAICompatible({ name: 'desk', baseURL: world.model.url });
  worker = await startWorker(desk, { scripted: provider('scripted') }, world.environment);
});
afterAll(async () => {
  worker.stop();
  await worker.done;
  await world.close();
});

const served = async () => {
  const { items } = await world.client.get<{ items: { model: string }[] }>('/v1/models');
  return items.map(({ model }) => model);
};

test('an application adds a tool and a model of its own, which go through ledger and crash rules', async () => {
  await expect.poll(served).toContain('own/scripted');
  const { goalId } = await world.start({
    objective: 'Tell the desk about the lamp',
    model: 'own/scripted',
    workspace: { path: await world.workspace({ 'a.txt': 'a\n' }) },
    criteria: [],
  });
  const goal = await world.until(goalId, ({ status }) => status !== 'active');
  expect(goal.model).toBe('own/scripted');
  const page = await world.client.get<{ items: LedgerRow[] }>(`/v1/goals/${goalId}/ledger`);
  const rows = page.items.filter(({ tool }) => tool === 'open_ticket');
  const ends = rows.filter(({ phase }) => phase === 'settled');
  expect(ends.map(({ effect, outcome }) => [effect, outcome])).toEqual(
    expect.arrayContaining([
      ['once', 'failed'],
      ['once', 'succeeded'],
    ]),
  );
  expect(ends.map(({ receipt }) => receipt?.reason)).toEqual(
    expect.arrayContaining([expect.stringContaining('title'), 'the desk is closed']),
  );
  expect(opened).toEqual([['The lamp flickers', `${goalId}/t1.s3.1`]]);
});

test('a model that no worker serves is refused, with the ones that are', async () => {
  await expect.poll(served).toContain('own/scripted');
  const start = world.start({ objective: 'Anything', model: 'own/none', criteria: [] });
  await expect(start).rejects.toMatchObject({
    problem: {
      code: 'unknown_model',
      field: 'model',
      detail: expect.stringContaining('own/scripted'),
    },
  });
});

test('a tool with the name of another one, or one that providers refuse, starts no worker', async () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: '',
      effect: 'read',
      schema: z.object({}),
      run: async () => '',
    });
  const start = (name: string) =>
    createWorker({ tools: [tool(name)], environment: world.environment });
  await expect(start('read_file')).rejects.toThrow('two tools named "read_file"');
  await expect(start('read file')).rejects.toThrow('needs a name');
});

test('an application starts a goal by the typed client, and hears when it rests', async () => {
  const path = await world.workspace({ 'package.json': '{"scripts":{"test":"true"}}' });
  const service = { url: `${world.url}/`, token: TOKENS.admin };
  const goal = await runGoal(service, 'Ask what comes next', path, 'own/scripted');
  expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'question' } });
});

test('what a broken connection loses is asked again under one key, and problems are thrown', async () => {
  const keys: (string | null)[] = [];
  const client = createClient({
    url: world.url,
    token: TOKENS.admin,
    async fetch(input, init) {
      const request = new Request(input, init);
      keys.push(request.headers.get('idempotency-key'));
      const answer = await fetch(request);
      if (keys.length === 1) throw new TypeError('the answer was lost');
      return answer;
    },
  });
  const workspace = { path: await world.workspace({}) };
  const body = { objective: 'Only once', model: 'own/scripted', criteria: [], workspace };
  const { goalId } = await answerOf(client.POST('/v1/goals', { body }));
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toEqual(expect.any(String));
  const query = { q: 'Only once' };
  const { items } = await answerOf(client.GET('/v1/goals', { params: { query } }));
  expect(items.map((goal) => goal.goalId)).toEqual([goalId]);
  const absent = client.GET('/v1/goals/{goalId}', { params: { path: { goalId: 'g-none' } } });
  await expect(answerOf(absent)).rejects.toMatchObject({ problem: { code: 'not_found' } });
});
