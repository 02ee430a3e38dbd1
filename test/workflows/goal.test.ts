import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assistantMessages,
  type ChatRequest,
  objectiveOf,
  reply,
  type Script,
  sequence,
} from '../../demo/script.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { turnsOf, waitUntil } from './helpers.ts';

/** Each goal's objective begins with the name of its script. */
const scripts: Record<string, Script> = {
  'write-and-claim': sequence([
    reply.call('attempt_completion', { result: 'There is nothing to do.' }),
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'answer.txt holds the answer.' }),
    reply.text('Nothing is left.'),
  ]),
  'write-and-yield': sequence([
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.text('I wrote the file.'),
    reply.text('It is all there.'),
  ]),
  'says-hello': sequence([reply.text('Hello')]),
  asks: sequence([
    reply.call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] }),
    reply.call('write_file', { path: 'colour.txt', content: 'red\n' }),
    reply.call('attempt_completion', { result: 'It is red.' }),
  ]),
  'claims-forever': sequence([reply.call('attempt_completion', { result: 'Done, trust me.' })]),
  spends: (request) => reply.call('grep_search', { pattern: `x${assistantMessages(request)}` }),
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
};

const script: Script = (request: ChatRequest) => {
  const name = objectiveOf(request).split(':')[0] ?? '';
  return (scripts[name] ?? sequence([reply.text('?')]))(request);
};

const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

const open = async (name: string, goal: object = {}, files: Record<string, string> = {}) => {
  const path = await world.workspace(files);
  const started = await world.start({ objective: `${name}: go`, workspace: { path }, ...goal });
  return { goalId: started.goalId, path };
};

describe('a goal on the real servers', () => {
  test('C5 C6 an early claim is refused, and the goal completes as verified once it is proven', async () => {
    const { goalId, path } = await open('write-and-claim', { criteria: [answerExists] });
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({
      source: 'explicit',
      verification: 'verified',
      result: 'answer.txt holds the answer.',
      changedFiles: ['answer.txt'],
    });
    expect(goal.criteria[0]).toMatchObject({ state: 'met', baseline: 'unmet' });
    expect(await readFile(join(path, 'answer.txt'), 'utf8')).toBe('42\n');
    const turns = await turnsOf(world, goalId);
    expect(turns.map(({ decision }) => decision?.action)).toEqual(['refuse', 'complete']);
  });

  test('M19 a turn without any tool call completes a goal implicitly when everything is verified', async () => {
    const { goalId } = await open('write-and-yield', { criteria: [answerExists] });
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({ source: 'implicit', verification: 'verified' });
    expect(goal.completion?.result).toBe('It is all there.');
  });

  test('R43 M27 "Hello" on a green project never completes; after three such turns a person is needed', async () => {
    const { goalId } = await open('says-hello', {
      criteria: [{ kind: 'command', command: 'true' }],
    });
    const goal = await world.until(goalId, ({ status }) => status !== 'active');
    expect(goal.status).toBe('paused');
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.criteria[0]?.baseline).toBe('met');
    expect(goal.usage.turns).toBe(3);
  });

  test('a question pauses the goal, and its answer goes to the model and leads on', async () => {
    const { goalId } = await open('asks', {
      criteria: [{ kind: 'command', command: 'grep -q red colour.txt' }],
    });
    const asked = await world.until(goalId, ({ status }) => status === 'paused');
    expect(asked.pause).toMatchObject({ reason: 'question' });
    await world.client.send('POST', `/v1/goals/${goalId}/answers`, {
      questionId: asked.pause?.questionId,
      text: 'Make it red.',
    });
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    const heard = world.model.requests.some((request) =>
      request.messages.some(({ role, text }) => role === 'user' && text.includes('Make it red.')),
    );
    expect(heard).toBe(true);
  });

  test('R34 R40 the same claim refused three times pauses as gate_exhausted and names what is missing', async () => {
    const { goalId } = await open('claims-forever', { criteria: [answerExists] });
    const goal = await world.until(goalId, ({ status }) => status === 'paused');
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(goal.pause?.missing).toEqual([goal.criteria[0]?.criterionId]);
    expect((await turnsOf(world, goalId)).length).toBe(3);
  });

  test('M7 M15 a used-up budget leads to one wrap-up and then stops as budget_limited', async () => {
    const { goalId } = await open('spends', { budget: { tokens: 15_000 } });
    const goal = await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    expect(goal.usage.tokens).toBeGreaterThan(0);
    const turns = await turnsOf(world, goalId);
    expect(turns.filter(({ kind }) => kind === 'wrap_up')).toHaveLength(1);
  });

  test('pause cuts a running model call at once, keeps what was said, and resume goes on', async () => {
    const { goalId } = await open('hangs');
    await world.until(goalId, ({ usage }) => usage.turns === 1);
    await waitUntil(() =>
      world.model.requests.some((request) => objectiveOf(request).startsWith('hangs')),
    );
    const paused = await world.client.send<{ status: string }>(
      'POST',
      `/v1/goals/${goalId}/pause`,
      {},
    );
    expect(paused.status).toBe('paused');
    const [turn] = await waitUntil(async () => {
      const turns = await turnsOf(world, goalId);
      return turns[0]?.decision ? turns : null;
    });
    expect(turn?.decision).toMatchObject({ rule: 1, action: 'hold' });
    const resumed = await world.client.send<{ status: string }>(
      'POST',
      `/v1/goals/${goalId}/resume`,
      {},
    );
    expect(resumed.status).toBe('active');
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });
});
