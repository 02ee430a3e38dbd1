import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Estimate } from '../../schema/estimate.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';

const makefileWith = (recipe: string) => `test:\n\t${recipe}\n`;
const original = makefileWith('grep -q 42 answer.txt');
const loosened = makefileWith('test -e answer.txt');
const files = { Makefile: original, 'answer.txt': '41\n' };
const criteria = [{ kind: 'command' as const, command: 'make test' }];
const proven = { criteria, scope: { change: ['answer.txt'] }, policy: { proof: 'scope' as const } };

const scripts = {
  honest: sequence([write('answer.txt', '42\n'), write('Makefile', loosened), claim()]),
  cheats: sequence([write('Makefile', loosened), claim()]),
  stops: sequence([write('Makefile', loosened), reply.text('All of it is done.')]),
  idles: sequence([claim()]),
  writes: sequence([write('answer.txt', '42\n'), claim()]),
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

async function repository(): Promise<string> {
  const path = await the.world.workspace(files);
  startRepository(path);
  return path;
}

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

  test('SCP-40 asks the same where the model stops without a claim, and completes once it is granted', async () => {
    const { goalId } = await the.open('stops', proven, files);
    const approval = await the.asked(goalId);
    expect(approval).toMatchObject({
      kind: 'basis',
      data: { changes: { Makefile: expect.any(String) } },
    });
    await the.decide(approval, 'approve');
    const goal = await the.world.until(
      goalId,
      ({ status }) => status !== 'paused' && status !== 'active',
    );
    expect(goal.completion).toMatchObject({ verification: 'verified', source: 'implicit' });
  });

  test('SCP-30 says before the first write what counts as work, and what that means for the level', async () => {
    const scope = { change: ['nowhere/**'] };
    const { goalId } = await the.open('cheats', { ...proven, scope }, files);
    await the.asked(goalId);
    const [told] = await the.world.database<{ data: { scope: string; notices: string[] } }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'scope.told'`;
    expect(told?.data).toMatchObject({
      scope: expect.stringContaining('nowhere/**'),
      notices: [expect.stringContaining('matches no file that is there')],
    });
    expect((await the.world.get(goalId)).notices).toMatchObject([
      { code: 'matches_nothing', level: 'verified' },
    ]);
  });

  test('SCP-31 is measured against the commit that the caller names, so that nothing bent since is the judge', async () => {
    const path = await repository();
    // An earlier goal loosened the check and committed that.
    writeFileSync(join(path, 'Makefile'), loosened);
    gitIn(path)('commit', '-qam', 'bent');
    const scope = { change: ['answer.txt'], base: 'HEAD~1' };
    const start = (name: string, more: object = {}) =>
      the.world.start({ objective: `${name}: go`, workspace: { path }, ...proven, scope, ...more });
    const cheating = await start('idles');
    const asked = await the.asked(cheating.goalId);
    expect(asked).toMatchObject({ kind: 'basis', data: { diffs: [{ name: 'Makefile' }] } });
    await the.send(cheating.goalId, 'clear');
    const { goalId } = await start('writes');
    const goal = await the.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal).toMatchObject({
      status: 'complete',
      completion: { verification: 'verified' },
      scope: { base: gitIn(path)('rev-parse', 'HEAD~1'), baseName: 'HEAD~1', setBy: 'caller' },
    });
  });

  test('SCP-32 is refused at its start with a base that can not be one, by field, reason and way out', async () => {
    const path = await repository();
    const start = (base: string) =>
      problemOf(
        the.world.start({
          objective: 'honest: go',
          workspace: { path },
          ...proven,
          scope: { change: ['answer.txt'], base },
        }),
      );
    expect(await start('nowhere')).toMatchObject({
      code: 'invalid_request',
      field: 'scope.base',
      problem: 'unknown_commit',
      detail: expect.stringContaining('fetch it first'),
    });
    const body = { objective: 'honest: go', workspace: { path }, ...proven };
    const estimate = await the.world.client.send<Estimate>('POST', '/v1/goals/estimate', body);
    expect(estimate.scope).toMatchObject({ files: 1, total: 2, notices: [] });
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
