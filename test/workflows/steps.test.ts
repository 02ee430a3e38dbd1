import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

const plan = reply.call('todo_write', {
  todos: [
    { content: 'Look around', status: 'in_progress' },
    { content: 'Write the answer', status: 'pending' },
    { content: 'Say so in the notes', status: 'pending' },
  ],
});
const sign = (step: string, evidence: object) =>
  reply.call('complete_step', { step, result: 'done', evidence: [{ summary: 's', ...evidence }] });
const ran = (command: string) => ({ kind: 'verification', command });
const wrote = (path: string) => ({ kind: 'diff', paths: [path] });
const note = reply.call('write_file', { path: 'notes.txt', content: 'It is 42.\n' });

const scripts: Record<string, Script> = {
  serial: sequence([
    plan,
    reply.call('run_command', { command: 'ls' }),
    reply.text('That is all there is.'),
    sign('Look around', ran('ls')),
    write,
    sign('Write the answer', ran('ls')),
    sign('Write the answer', wrote('./answer.txt')),
    note,
    sign('3', wrote('notes.txt')),
    claim,
  ]),
  unproven: sequence([
    plan,
    reply.call('run_command', { command: 'test -f missing.txt' }),
    sign('Look around', ran('test -f missing.txt')),
    sign('Look around', wrote('other.txt')),
    sign('Fly to the moon', ran('ls')),
    sign('Write the answer', ran('ls')),
    reply.text('Well.'),
  ]),
  cheating: sequence([
    plan,
    reply.call('todo_write', {
      todos: ['Look around', 'Write the answer', 'Say so in the notes'].map((content) => ({
        content,
        status: 'completed',
      })),
    }),
    write,
    claim,
    reply.call('report_blocker', { kind: 'external', blocker: 'The list is open.' }),
  ]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

const listOf = (goalId: string) => goals.world.client.get<TodoList>(`/v1/goals/${goalId}/todos`);

const outcomesOf = async (goalId: string, tool: string) => {
  const path = `/v1/goals/${goalId}/ledger?limit=200&tool=${tool}`;
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(path);
  const settled = items.filter(({ phase }) => phase === 'settled');
  return settled
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ outcome, receipt }) => ({ outcome, receipt }));
};

/** What the model was told by the tools, oldest first. */
const toldTo = (goalId: string): string[] => {
  const last = goals.world.model.requests.findLast((asked) => goalIdOf(asked) === goalId);
  return (last?.messages ?? []).filter(({ role }) => role === 'tool').map(({ text }) => text);
};

test('R2 R9 R10 R18 R26 R30 a serial plan ends item by item, with evidence that is fresh', async () => {
  const goal = await goals.run('serial');
  expect(goal).toMatchObject({ status: 'complete', todos: { total: 3, done: 3 } });
  const outcomes = await outcomesOf(goal.goalId, 'complete_step');
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    'succeeded',
    'failed',
    'succeeded',
    'succeeded',
  ]);
  // A check of an earlier turn counted for the first item, and not after the write.
  expect(outcomes[1]?.receipt?.reason).toContain('stale');
  const told = toldTo(goal.goalId);
  expect(told.findLast((text) => text.includes('attempt_completion'))).toBeDefined();
  const { items } = await listOf(goal.goalId);
  expect(items.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
});

test('R3 R4 R8 R15 R19 a sign-off that nothing backs is refused, says why, and changes nothing', async () => {
  const goal = await goals.run('unproven');
  const outcomes = await outcomesOf(goal.goalId, 'complete_step');
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed']);
  const [failed, unknownPath, unknownStep, notCurrent] = outcomes.map(
    ({ receipt }) => receipt?.reason ?? '',
  );
  expect(failed).toMatch(/exited 1.*non-zero/);
  expect(unknownPath).toContain('other.txt');
  expect(unknownStep).toContain('Say so in the notes');
  expect(notCurrent).toMatch(/only the item in progress/i);
  const { items } = await listOf(goal.goalId);
  expect(items.map(({ status }) => status)).toEqual(['in_progress', 'pending', 'pending']);
});

test('C5 R22 R25 R29 a list that was marked done in one go stays open, and so does the goal', async () => {
  const goal = await goals.run('cheating');
  const [, batch] = await outcomesOf(goal.goalId, 'todo_write');
  expect(batch).toMatchObject({ outcome: 'failed' });
  expect(batch?.receipt?.reason).toContain('3');
  const [first] = await goals.turns(goal.goalId);
  expect(first?.decision).toMatchObject({ action: 'refuse', missing: ['t1', 't2', 't3'] });
  expect(goal.status).toBe('paused');
});
