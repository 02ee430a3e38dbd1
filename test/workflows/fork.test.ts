import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import { createClient } from '../../src/cli/client.ts';
import { start as startCommand } from '../cli/command-line.ts';
import { startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

const file = (path: string, content: string) => reply.call('write_file', { path, content });
const ask = reply.call('ask_user', { question: 'Is it right?' });

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    first: sequence([
      file('one.txt', 'one\n'),
      reply.call('run_command', { command: 'rm gone.txt; chmod +x run.sh; echo x > noted.local' }),
      reply.text('One is there, two comes next.'),
      file('two.txt', 'two\n'),
      ask,
    ]),
    other: sequence([ask]),
  });
});
afterAll(() => goals.world.close());

type Workspace = NonNullable<StartGoal['workspace']>;

const fork = (workspace: Workspace) => goals.run('other', { workspace });

async function origin() {
  const path = await goals.world.workspace({
    ...{ 'a.txt': 'a\n', 'gone.txt': 'gone\n', 'run.sh': 'echo\n', 'kept.local': 'tracked\n' },
    '.gitignore': '*.local\n',
  });
  const git = startRepository(path);
  git('add', '-f', 'kept.local');
  git('commit', '-q', '--amend', '-m', 'start');
  return { path, git };
}

test('CON-84: a goal begins with what another one had written after a turn, on a branch of its own', async () => {
  const { path, git } = await origin();
  const base = git('rev-parse', 'HEAD');
  const first = await goals.run('first', { workspace: { path } });
  expect((await goals.turns(first.goalId)).length).toBe(2);
  // What came later is in neither.
  writeFileSync(join(path, 'later.txt'), 'later\n');
  git('add', 'later.txt');
  git('commit', '-q', '-m', 'later', '--', 'later.txt');
  const from = { goalId: first.goalId, turn: 1 };
  const forked = await fork({ path, mode: 'worktree', from });
  const tree = forked.workspace.path;
  const read = (name: string) => readFileSync(join(tree, name), 'utf8');
  const has = (name: string) => existsSync(join(tree, name));
  expect([read('one.txt'), read('a.txt')]).toEqual(['one\n', 'a\n']);
  expect(['two.txt', 'gone.txt', 'later.txt', 'noted.local'].filter(has)).toEqual([]);
  // Ignored files are in no checkpoint: one that git tracks is as the commit has it.
  expect(read('kept.local')).toBe('tracked\n');
  const branch = `goal/${forked.goalId}`;
  expect(git('rev-parse', `${branch}^`)).toBe(base);
  expect(git('ls-tree', branch, 'run.sh')).toMatch(/^100755 /);
  expect(git('-C', tree, 'status', '--porcelain')).toBe('');
  const events = await goals.world.database<{ data: object }[]>`
    SELECT data FROM event WHERE goal_id = ${forked.goalId} AND type = 'worktree.made'`;
  expect(events[0]?.data).toMatchObject({ from: { goalId: first.goalId, checkpoint: 't1' } });

  // Of a goal with a worktree of its own, too, and with what it had before its first write.
  const again = await fork({
    path,
    mode: 'worktree',
    from: { goalId: forked.goalId, turn: 0 },
  }).catch(problemOfNothing);
  expect(again).toMatchObject({ status: 404, field: 'workspace.from.turn' });
  const whole = await fork({ path, mode: 'worktree', from: { goalId: first.goalId, turn: 2 } });
  expect(readFileSync(join(whole.workspace.path, 'two.txt'), 'utf8')).toBe('two\n');
  const before = await fork({ path, mode: 'worktree', from: { goalId: first.goalId, turn: 0 } });
  expect(git('rev-parse', `goal/${before.goalId}`)).toBe(base);
});

const problemOfNothing = (error: unknown) => problemOf(Promise.reject(error));

test('CON-85: a turn or goal that is not there, a shared workspace and another one are refused, each at its field', async () => {
  const { path } = await origin();
  const { goalId } = await goals.run('first', { workspace: { path } });
  const elsewhere = await origin();
  const refusal = (workspace: object) =>
    problemOf(goals.start('other', { workspace: workspace as Workspace }));
  const worktree = { path, mode: 'worktree' };
  expect(await refusal({ path, from: { goalId, turn: 1 } })).toMatchObject({
    ...{ status: 400, field: 'workspace.from' },
    detail: expect.stringContaining('"mode": "worktree"'),
  });
  expect(await refusal({ ...worktree, from: { goalId, turn: 9 } })).toMatchObject({
    ...{ status: 400, field: 'workspace.from.turn', newest: 2 },
  });
  const unknown = { goalId: 'g-0000000000000000', turn: 1 };
  expect(await refusal({ ...worktree, from: unknown })).toMatchObject({
    ...{ status: 404, field: 'workspace.from.goalId' },
  });
  const there = { path: elsewhere.path, mode: 'worktree' };
  expect(await refusal({ ...there, from: { goalId, turn: 1 } })).toMatchObject({
    ...{ status: 400, field: 'workspace.from.goalId' },
  });
  // A program sees its own goals alone.
  const { name } = (await goals.world.get(goalId)).workspace;
  const { url } = goals.world;
  const asked = { objective: 'other: go', criteria: [], budget: { tokens: 10_000 } };
  const workspace = { name, mode: 'worktree', from: { goalId, turn: 1 } };
  const byProgram = createClient({ url, token: TOKENS.agent }).send<Goal>('POST', '/v1/goals', {
    ...{ ...asked, workspace },
  });
  expect(await problemOf(byProgram)).toMatchObject({
    ...{ status: 404, field: 'workspace.from.goalId' },
  });
});

test('TERM-72: the command line names goal and turn, by the beginning of an id', async () => {
  const { path } = await origin();
  const { goalId } = await goals.run('first', { workspace: { path } });
  const goalkeeper = (...args: string[]) =>
    startCommand(['run', 'other: go', '--judge-myself', '--detach', '--workspace', path, ...args], {
      ...{ GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator },
    }).done;
  const { out, exitCode, err } = await goalkeeper('--from-turn', `${goalId.slice(0, 14)}:1`);
  expect([exitCode, err]).toEqual([0, expect.any(String)]);
  const forked = await goals.rest(out.trim());
  expect(existsSync(join(forked.workspace.path, 'one.txt'))).toBe(true);
  expect(existsSync(join(forked.workspace.path, 'two.txt'))).toBe(false);
  const wrong = await goalkeeper('--from-turn', goalId);
  expect([wrong.exitCode, wrong.err]).toEqual([3, expect.stringContaining('g-7f3a:4')]);
});
