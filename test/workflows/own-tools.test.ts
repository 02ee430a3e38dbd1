import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { reply, sequence } from '../../demo/script.ts';
import { startWorker } from '../../examples/own-tools/worker.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { createWorker, defineTool, type RunningWorker } from '../../src/index.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

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
  await expect.poll(served, { timeout: 15_000 }).toContain('own/scripted');
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
  await expect.poll(served, { timeout: 15_000 }).toContain('own/scripted');
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
