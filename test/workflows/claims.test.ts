import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';

const report = 'The answer is written. '.repeat(130).trim();
const grep = { command: 'grep -q TODO answer.txt' };
const citesGrep = reply.call('attempt_completion', { result: 'No TODO is left.', ...grep });
const failedEdit = reply.call('edit_file', {
  path: 'missing.txt',
  edits: [{ oldText: 'a', newText: 'b' }],
});

const scripts: Record<string, Script> = {
  'no-result': sequence([reply.call('attempt_completion', {}), write, claim]),
  'failed-edit': sequence([failedEdit, write, claim, claim]),
  'made-good': sequence([
    failedEdit,
    reply.call('write_file', { path: 'missing.txt', content: 'b' }),
    write,
    claim,
  ]),
  'expected-failure': sequence([
    write,
    reply.call('run_command', { ...grep, expectFailure: true }),
    citesGrep,
  ]),
  'failed-check': sequence([write, reply.call('run_command', grep), citesGrep, citesGrep]),
  reports: sequence([
    write,
    reply.call('run_command', { command: 'echo more > notes.txt' }),
    reply.call('attempt_completion', { result: report }),
  ]),
  works: sequence([write, claim]),
  claims: sequence([claim]),
  'bad-list': sequence([
    reply.call('todo_write', {
      todos: ['a', 'b'].map((content) => ({ content, status: 'in_progress' })),
    }),
    write,
    claim,
  ]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

const settledCalls = async (goalId: string, tool: string): Promise<readonly LedgerRow[]> => {
  const path = `/v1/goals/${goalId}/ledger?limit=200&tool=${tool}`;
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(path);
  return items.filter(({ phase }) => phase === 'settled').toSorted((a, b) => a.seq - b.seq);
};

describe('a claim', () => {
  test('C2 without its result is refused by its form; the same turn goes on', async () => {
    const { goalId, status } = await goals.run('no-result');
    expect(status).toBe('complete');
    expect(await goals.story(goalId)).toEqual(['start: 4 complete']);
    const [refused] = await settledCalls(goalId, 'attempt_completion');
    expect(refused).toMatchObject({ outcome: 'failed' });
    expect(refused?.receipt?.reason).toContain('result');
  });

  test('C4 after a write that failed and was not made good is refused with its target', async () => {
    const { goalId } = await goals.run('failed-edit');
    const [first] = await goals.turns(goalId);
    expect(first?.decision).toMatchObject({ action: 'refuse', missing: ['target:missing.txt'] });
    expect(first?.decision?.reasons['target:missing.txt']).toContain('edit_file');
    // The next turn has no failure of its own.
    expect(await goals.story(goalId)).toEqual(['start: 4 refuse', 'nudge: 4 complete']);
  });

  test('C4 after the same target was written is taken', async () => {
    const { goalId } = await goals.run('made-good');
    expect(await goals.story(goalId)).toEqual(['start: 4 complete']);
  });

  test('C4 that cites a check which failed is refused; one that should fail is no failure', async () => {
    const failed = await goals.run('failed-check');
    expect((await goals.story(failed.goalId))[0]).toBe('start: 4 refuse');
    const [first] = await goals.turns(failed.goalId);
    expect(first?.decision?.missing).toEqual([`target:${grep.command}`]);
    const expected = await goals.run('expected-failure');
    expect(await goals.story(expected.goalId)).toEqual(['start: 4 complete']);
  });

  test('C21 keeps its whole result, and the changed files come from the ledger', async () => {
    const { completion } = await goals.run('reports');
    expect(completion?.result).toBe(report);
    expect(completion?.result.length).toBeGreaterThan(2000);
    expect(completion?.changedFiles.toSorted()).toEqual(['answer.txt', 'notes.txt']);
  });

  test('C14 a pause while the gate checks it wins over the proof', async () => {
    const command = 'test -f answer.txt && touch gate-ran && sleep 5';
    const path = await goals.world.workspace({});
    const goalId = await goals.start('works', {
      workspace: { path },
      criteria: [{ kind: 'command', command }],
    });
    await waitUntil(() => existsSync(join(path, 'gate-ran')));
    await goals.send(goalId, 'pause');
    await goals.settled(goalId);
    const goal = await goals.world.get(goalId);
    expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'person' } });
    expect(goal.completion).toBeUndefined();
    expect(await goals.story(goalId)).toEqual(['start: 1 hold']);
  });

  test('R41 that no kind of evidence can prove goes to a person, not into a loop', async () => {
    const goal = await goals.run('claims', { criteria: [] });
    expect(goal.pause?.reason).toBe('unverified_claim');
    expect(goal.pause?.approvalId).toBeDefined();
    expect(goal.usage.turns).toBe(1);
  });

  test('R16 is not held up by a todo list that was refused', async () => {
    const goal = await goals.run('bad-list');
    expect(goal.status).toBe('complete');
    expect(goal.todos.total).toBe(0);
  });
});
