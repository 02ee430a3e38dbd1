import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { GoalDiff } from '../../schema/checkpoint.ts';
import { startRepository } from '../support/git.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';

const file = (path: string, content: string) => reply.call('write_file', { path, content });
const run = (command: string) => reply.call('run_command', { command });
const ask = reply.call('ask_user', { question: 'Is it right?' });
const TAKE_OVER = /git diff --binary [0-9a-f]+ goal\/\S+ \| git apply/;

const writesBranch = sequence([file('child.txt', 'by the delegate\n'), reply.text('Written.')]);
const parent: Script = (request) => {
  const text = request.messages.map((message) => message.text).join('\n');
  const command = TAKE_OVER.exec(text)?.[0];
  const replies = [
    file('scaffold.txt', 'by the parent\n'),
    reply.call('delegate', { task: 'child: write', mode: 'agent' }),
    reply.text('Nothing else to do until then.'),
    run(command ?? 'false'),
    ask,
  ];
  return sequence(replies)(request);
};

const PLANT = [
  'git init -q inner && cd inner && echo a > f',
  'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m inner',
  "echo '* filter=x' > .gitattributes && git config filter.x.clean 'touch ../../../escaped; cat'",
].join('; ');

const scripts: Record<string, Script> = {
  alone: sequence([
    run(
      'cat a.txt && echo x >> .git/config; echo x > $(git rev-parse --git-common-dir)/hooks/pre-commit; true',
    ),
    run(PLANT),
    file('a.txt', 'two\n'),
    run('git add -A && git -c user.name=a -c user.email=a@b commit -q -m mine'),
    file('later.txt', 'not committed\n'),
    ask,
  ]),
  parent,
  child: writesBranch,
  asks: sequence([ask]),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

async function repository() {
  const path = await goals.world.workspace({ 'a.txt': 'one\n' });
  return { path, git: startRepository(path) };
}

test('a goal with a worktree leaves the tree of its owner alone, and its branch survives its clearing with all work', async () => {
  const { path, git } = await repository();
  writeFileSync(join(path, 'a.txt'), 'edited by its owner\n');
  const before = readFileSync(join(path, '.git/config'), 'utf8');
  const goal = await goals.run('alone', { workspace: { path, mode: 'worktree' } });
  const { goalId, workspace } = goal;
  expect(workspace).toMatchObject({ mode: 'worktree', branch: `goal/${goalId}` });
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('edited by its owner\n');
  expect(readFileSync(join(workspace.path, 'a.txt'), 'utf8')).toBe('two\n');
  expect(git('log', '--format=%s', `goal/${goalId}`)).toBe('mine\nstart');
  const diff = await goals.world.client.get<GoalDiff>(`/v1/goals/${goalId}/diff?stat=true`);
  const changed = diff.files.map((one) => one.path);
  expect(changed.filter((one) => !one.startsWith('inner/'))).toEqual(['a.txt', 'later.txt']);
  await goals.send(goalId, 'clear');
  await waitUntil(() => !git('worktree', 'list').includes(goalId));
  expect(existsSync(workspace.path)).toBe(false);
  expect(git('show', `goal/${goalId}:later.txt`)).toBe('not committed');
  expect(git('status', '--porcelain')).toBe('M a.txt');
  expect(readFileSync(join(path, '.git/config'), 'utf8')).toBe(before);
  // Without a sandbox its commands can do all that their user can.
  if (goal.isolation === 'none') return;
  expect(existsSync(join(path, '.git/hooks/pre-commit'))).toBe(false);
  // What the goal planted in a repository of its own did not run on the machine either.
  expect(existsSync(join(workspace.path, '../../escaped'))).toBe(false);
});

test('a workspace that is no git repository is refused as origin of a worktree, with field and way out', async () => {
  const path = await goals.world.workspace({ 'a.txt': 'one\n' });
  expect(
    await problemOf(goals.start('alone', { workspace: { path, mode: 'worktree' } })),
  ).toMatchObject({
    status: 400,
    field: 'workspace.mode',
    detail: expect.stringContaining('commit something there first'),
  });
  const sparse = await repository();
  sparse.git('sparse-checkout', 'set', 'nothing');
  const workspace = { path: sparse.path, mode: 'worktree' } as const;
  expect(await problemOf(goals.start('alone', { workspace }))).toMatchObject({
    status: 400,
    field: 'workspace.mode',
    problem: 'sparse_checkout',
    detail: expect.stringContaining('git sparse-checkout disable'),
  });
  // Each start looks anew: one that was fit may not be any more, and the other way round.
  sparse.git('sparse-checkout', 'disable');
  sparse.git('config', 'core.autocrlf', 'true');
  expect(await problemOf(goals.start('alone', { workspace }))).toMatchObject({
    status: 400,
    problem: 'line_ends',
  });
  sparse.git('config', '--unset', 'core.autocrlf');
  await goals.run('asks', { workspace });
  // By its name it was not looked at since: the worker does, before it makes the tree.
  sparse.git('config', 'core.autocrlf', 'true');
  const { items } = await goals.world.client.get<{ items: { name: string; path: string }[] }>(
    '/v1/workspaces',
  );
  const name = items.find(({ path }) => path === sparse.path)?.name ?? '';
  const { pause } = await goals.run('asks', { workspace: { name, mode: 'worktree' } });
  expect(pause?.message).toContain('changes line ends');
});

test('a delegate that writes begins with what its parent has not committed, and the parent takes its branch over', async () => {
  const { path, git } = await repository();
  const { goalId } = await goals.run('parent', { workspace: { path } });
  expect(readFileSync(join(path, 'child.txt'), 'utf8')).toBe('by the delegate\n');
  const { items } = await goals.world.client.get<{ items: { goalId: string }[] }>(
    `/v1/goals/${goalId}/delegates`,
  );
  const branch = `goal/${items[0]?.goalId}`;
  expect(git('show', `${branch}:scaffold.txt`)).toBe('by the parent');
  expect(git('diff', '--stat', `${branch}~1`, branch)).toContain('child.txt');
});
