import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import { startRepository } from '../support/git.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

const environment = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' };
const scripts: Record<string, Script> = {
  asks: sequence([
    reply.call('ask_user', { question: 'Go on?', options: ['yes', 'no'] }),
    reply.call('write_file', { path: 'planted.txt', content: 'x\n' }),
    reply.call('attempt_completion', { result: 'Planted.' }),
  ]),
};
const criteria = [{ kind: 'file', path: 'planted.txt', exists: true } as const];

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { environment });
});
afterAll(() => goals.world.close());

/** As the service's own user of the database. */
const move = (name: string, path: string) =>
  goals.world.store.sql`UPDATE workspace SET path = ${path} WHERE name = ${name}`;

test('ROW-47 a goal that the database sends into the folder of another workspace does nothing there; whoever registers its own folder again lets it go on', async () => {
  const { world } = goals;
  const path = await world.workspace({ 'a.txt': 'one\n' });
  const others = await world.workspace({ 'secret.txt': 'theirs\n' });
  startRepository(path);
  const other = await goals.start('asks', { criteria, workspace: { path: others } });
  await world.until(other, ({ pause }) => pause?.questionId !== undefined);
  const goalId = await goals.start('asks', { criteria, workspace: { path } });
  const asked = await world.until(goalId, ({ pause }) => pause?.questionId !== undefined);
  const { workspace, pause } = asked;
  await move(workspace.name, others);
  const named = { workspace: { name: workspace.name } };
  for (const [url, body] of [
    ['/v1/goals', { objective: 'asks: go', criteria, ...named }],
    ['/v1/checks', { criterion: { kind: 'command', command: 'ls' }, ...named }],
  ] as const) {
    const problem = await problemOf(world.client.send('POST', url, body));
    expect(problem, url).toMatchObject({
      code: 'unknown_workspace',
      detail: expect.stringContaining('changed the database'),
    });
  }
  const changes = world.client.get(`/v1/goals/${goalId}/diff`);
  expect((await problemOf(changes)).code).toMatch(/unknown_workspace|not_found/);
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, option: 1 });
  const stopped = await world.until(
    goalId,
    (goal) => goal.status === 'paused' && goal.pause?.questionId === undefined,
  );
  expect(stopped.pause).toMatchObject({
    reason: 'record_altered',
    message: expect.stringContaining('Register its folder again'),
  });
  expect(existsSync(join(others, 'planted.txt'))).toBe(false);
  const { items } = await world.client.get<{ items: { subject: string }[] }>(
    '/v1/security-log?what=record_refused',
  );
  expect(items.map(({ subject }) => subject)).toContain(goalId);
  await world.client.send('POST', '/v1/workspaces', { path });
  await goals.send(goalId, 'resume');
  await world.until(goalId, ({ status }) => status === 'complete');
  expect(existsSync(join(path, 'planted.txt'))).toBe(true);
  expect(existsSync(join(others, 'planted.txt'))).toBe(false);
});

test('ROW-48 a goal works in a worktree of its own, whose place and end are sealed as they come', async () => {
  const { world } = goals;
  const path = await world.workspace({ 'a.txt': 'one\n' });
  startRepository(path);
  const goalId = await goals.start('asks', { criteria, workspace: { path, mode: 'worktree' } });
  const asked = await world.until(goalId, ({ pause }) => pause?.questionId !== undefined);
  const others = await world.workspace({ 'secret.txt': 'theirs\n' });
  const row = `worktree-${goalId}`;
  await move(row, others);
  await goals.send(goalId, 'answers', { questionId: asked.pause?.questionId, option: 1 });
  await world.until(goalId, (goal) => goal.pause?.reason === 'record_altered');
  expect(existsSync(join(others, 'planted.txt'))).toBe(false);
  await move(row, asked.workspace.path);
  await goals.send(goalId, 'resume');
  const ended = await world.until(goalId, ({ status }) => status === 'complete');
  expect(existsSync(join(ended.workspace.path, 'planted.txt'))).toBe(true);
});
