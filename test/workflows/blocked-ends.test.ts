import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import { claim, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';

const list = reply.call('todo_write', {
  todos: [
    { content: 'Write the answer', status: 'in_progress' },
    { content: 'Write the proof', status: 'pending' },
  ],
});
const note = reply.call('write_file', { path: 'notes.txt', content: 'half of it\n' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
const showAll = ['t1', 't2'].map((step) =>
  reply.call('complete_step', {
    step,
    result: 'It is there.',
    evidence: [{ kind: 'files', summary: 'the answer', paths: ['answer.txt'] }],
  }),
);
const forbidden = (content: string) => reply.call('write_file', { path: 'locked.txt', content });

const scripts: Record<string, Script> = {
  claims: sequence([claim]),
  'claims-in-between': sequence([claim, reply.call('list_files', {}), claim, claim]),
  'locked-out': sequence([forbidden('b\n')]),
  'says-so': sequence([
    forbidden('b\n'),
    forbidden('b\n'),
    reply.call('report_blocker', { kind: 'external', blocker: 'locked.txt may not be changed.' }),
  ]),
  unattended: sequence([list, note, reply.text('Half of it is done.'), write, ...showAll, claim]),
  finds: sequence([reply.call('list_files', {}), reply.text('It is in notes.txt, line 1.')]),
  'finds-nothing': sequence([reply.text('It is in notes.txt, line 1.')]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

const requestsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

describe('a goal whose way to its end is blocked', () => {
  test('M28 C3 a claim that the mode forbids trips the breaker after two, and says why', async () => {
    const goal = await goals.run('claims', { mode: 'gather' });
    expect(goal.pause).toMatchObject({ reason: 'lifecycle_breaker' });
    expect(goal.pause?.message).toContain('not available in the mode "gather"');
    expect(requestsOf(goal.goalId)).toHaveLength(2);
    expect(await goals.story(goal.goalId)).toEqual(['start: 2 pause']);
  });

  test('M28 a resume gives it two tries again, and something else in between breaks the row', async () => {
    const goal = await goals.run('claims-in-between', { mode: 'gather' });
    expect(requestsOf(goal.goalId)).toHaveLength(4);
    await goals.send(goal.goalId, 'resume');
    const again = await goals.world.until(
      goal.goalId,
      ({ usage, status }) => usage.turns === 2 && status === 'paused',
    );
    expect(again.pause?.reason).toBe('lifecycle_breaker');
    expect(requestsOf(goal.goalId)).toHaveLength(6);
  });

  test('M28 R36 the write of a protected file again and again pauses; the file is as it was', async () => {
    const path = await goals.world.workspace({ 'locked.txt': 'a\n' });
    const goal = await goals.run('locked-out', locked(path));
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.usage.turns).toBe(1);
    expect(await readFile(join(path, 'locked.txt'), 'utf8')).toBe('a\n');
  });

  test('R36 who may not write the file may say so, and a person is named', async () => {
    const path = await goals.world.workspace({ 'locked.txt': 'a\n' });
    const goal = await goals.run('says-so', locked(path));
    expect(goal.pause).toMatchObject({ reason: 'blocked' });
    expect(goal.pause?.message).toContain('may not be changed');
  });
});

const locked = (path: string) => ({
  workspace: { path },
  criteria: [
    { kind: 'file' as const, path: 'locked.txt', protect: true as const },
    { kind: 'command' as const, command: 'grep -qx b locked.txt' },
  ],
});

describe('C20 a goal that nobody watches', () => {
  test('stops at its limit with all that it has, and goes on from there once it is raised', async () => {
    const path = await goals.world.workspace({});
    const goal = await goals.run('unattended', {
      workspace: { path },
      budget: { turns: 1 },
      policy: { continuation: { stepsPerSlice: 1, stepsPerTurn: 2 } },
    });
    expect(goal.status).toBe('budget_limited');
    expect(await readFile(join(path, 'notes.txt'), 'utf8')).toBe('half of it\n');
    const todos = () =>
      goals.world.client.get<{ items: { id: string; status: string }[] }>(
        `/v1/goals/${goal.goalId}/todos`,
      );
    const before = await todos();
    expect(before.items.map(({ status }) => status)).toEqual(['in_progress', 'pending']);
    const { usage } = goal;
    await goals.amend(goal.goalId, { budget: { turns: 9 } });
    const done = await goals.rest(goal.goalId);
    expect(done.status).toBe('complete');
    expect(done.usage.tokens).toBeGreaterThan(usage.tokens);
    expect((await todos()).items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
  });
});

describe('R37 a goal that may only read', () => {
  test.each(['finds', 'finds-nothing'])(
    '%s: is nudged without being asked for a change or a claim',
    async (name) => {
      const path = await goals.world.workspace({ 'notes.txt': 'the answer\n' });
      const criteria = [{ kind: 'file' as const, path: 'answer.txt', exists: true }];
      const goal = await goals.run(name, { mode: 'gather', criteria, workspace: { path } });
      const asked = requestsOf(goal.goalId);
      const heard = asked.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n');
      expect(goal.pause?.reason).toBe('no_progress');
      expect(heard).toContain('Nothing has to be changed');
      expect(heard).not.toMatch(/attempt_completion|write_file|edit_file|Do the first of these/);
      const offered = new Set(asked.flatMap(({ tools }) => tools));
      expect([...offered].sort()).toEqual([
        'ask_user',
        'grep_search',
        'list_files',
        'read_file',
        'recall',
        'report_blocker',
      ]);
    },
  );
});
