import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import { startRepository } from '../support/git.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

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
  // Without a key, so that the place itself is what is judged.
  goals = await openScriptedGoals(scripts, { isUnsealed: true });
});
afterAll(() => goals.world.close());

/** The database's writer says that a workspace lies elsewhere. */
const move = (name: string, path: string) =>
  goals.world.database`UPDATE workspace SET path = ${path} WHERE name = ${name}`;

test.each(['shared', 'worktree'] as const)(
  'REC-34 a %s workspace that the database moves to a place that is none is not worked in: the goal says why, and goes on once it is back',
  async (mode) => {
    const path = await goals.world.workspace({ 'a.txt': 'one\n' });
    startRepository(path);
    const goalId = await goals.start('asks', { criteria, workspace: { path, mode } });
    const asked = await goals.world.until(goalId, ({ pause }) => pause?.questionId !== undefined);
    const { workspace, pause } = asked;
    const home = await realpath(goals.world.environment.GOALKEEPER_HOME ?? '');
    const row = mode === 'shared' ? workspace.name : `worktree-${goalId}`;
    await move(row, home);
    const tried = {
      workspace: { name: workspace.name },
      criterion: { kind: 'command', command: 'ls' },
    };
    if (mode === 'shared') {
      const check = goals.world.client.send('POST', '/v1/checks', tried);
      expect(await problemOf(check)).toMatchObject({ code: 'unknown_workspace' });
    }
    await goals.send(goalId, 'answers', { questionId: pause?.questionId, option: 1 });
    const stopped = await goals.world.until(
      goalId,
      (goal) => goal.status === 'paused' && goal.pause?.questionId === undefined,
    );
    expect(stopped.pause?.reason).toBe('record_altered');
    expect(stopped.pause?.message).toMatch(
      mode === 'shared' ? /service's own home/ : /no worktree of this service/,
    );
    expect(existsSync(join(home, 'planted.txt'))).toBe(false);
    await move(row, workspace.path);
    await goals.send(goalId, 'resume');
    await goals.world.until(goalId, ({ status }) => status === 'complete');
    expect(existsSync(join(workspace.path, 'planted.txt'))).toBe(true);
  },
);
