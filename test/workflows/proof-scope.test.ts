import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const makefileWith = (recipe: string) => `test:\n\t${recipe}\n`;
const original = makefileWith('grep -q 42 answer.txt');
const loosened = makefileWith('test -e answer.txt');
const files = { Makefile: original, 'answer.txt': '41\n' };
const criteria = [{ kind: 'command', command: 'make test' }];
const proven = { criteria, scope: { change: ['answer.txt'] }, policy: { proof: 'scope' } };

const scripts = {
  honest: sequence([write('answer.txt', '42\n'), write('Makefile', loosened), claim()]),
  cheats: sequence([write('Makefile', loosened), claim()]),
  installs: sequence([
    write('answer.txt', '42\n'),
    write('node_modules/expected/answer.txt', '42\n'),
    claim(),
  ]),
  repents: sequence([
    write('Makefile', loosened),
    claim(),
    write('answer.txt', '42\n'),
    claim('It is 42.'),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

describe('a goal that proves by its scope', () => {
  test('is verified by the work alone, and nobody is asked about what the proof does without', async () => {
    const { goalId, path } = await the.open('honest', proven, files);
    const goal = await the.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified' },
      scope: { change: ['answer.txt'], setBy: 'caller' },
    });
    expect(await the.approvals(goalId, 'all')).toEqual([]);
    expect(readFileSync(join(path, 'Makefile'), 'utf8')).toBe(loosened);
  });

  test('asks a person about the change beyond it that carries the proof, and takes the grant', async () => {
    const { goalId } = await the.open('cheats', proven, files);
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({ kind: 'basis' });
    expect(Object.keys(approval.data.changes as object)).toEqual(['Makefile']);
    expect(approval.data.diffs).toMatchObject([
      { name: 'Makefile', kind: 'beyond_scope', diff: expect.stringContaining('test -e') },
    ]);
    const calls = the.modelCalls(goalId);
    await the.decide(approval, 'approve');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
    expect(the.modelCalls(goalId)).toBe(calls);
  });

  test('goes on when a person declines, and completes by the work alone', async () => {
    const { goalId } = await the.open('repents', proven, files);
    await the.decide(await the.asked(goalId), 'deny', 'Write the answer.');
    const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion).toMatchObject({ verification: 'verified', result: 'It is 42.' });
  });

  test('SET-15 has the packages that the setup of its caller installs, not those of the goal', async () => {
    const body = {
      criteria: [{ kind: 'command', command: 'cmp answer.txt node_modules/expected/answer.txt' }],
      scope: { change: ['answer.txt'] },
      setup: ['mkdir -p node_modules/expected', 'echo 42 > node_modules/expected/answer.txt'],
      policy: { dependencies: 'ask' },
    };
    const given = { 'answer.txt': '41\n', '.gitignore': 'node_modules/\n' };
    const { goalId } = await the.open('installs', body, given);
    const goal = await the.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    expect(await the.approvals(goalId, 'all')).toEqual([]);
    const gate = await the.world.client.get<{ readonly proof: GoalProof | null }>(
      `/v1/goals/${goalId}/gate`,
    );
    expect(gate.proof?.setups).toMatchObject([{ command: body.setup.join(' && '), added: [] }]);
  });

  test.each([
    ['a glob that cannot be read', ['src/[a'], 'scope.change.0'],
    ['a place outside of the workspace', ['../other/**'], 'scope.change.0'],
    ['nothing', [], 'scope.change'],
  ])('is refused with %s as its scope', async (_, change, field) => {
    const problem = await problemOf(the.open('honest', { ...proven, scope: { change } }, files));
    expect(problem).toMatchObject({ code: 'invalid_request', field });
  });
});
