import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

const SECRET = 'words-that-only-the-others-know';
let others = '';
const planting = sequence([
  reply.call('run_command', {
    command: `printf 'gitdir: %s/.git\\n' "$(cat place.txt)" > .git; cat .git`,
  }),
  write,
  claim,
]);
const scripts = { plants: planting, waits: sequence([reply.call('ask_user', { question: '?' })]) };

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
  others = await goals.world.workspace({ [`${SECRET}.txt`]: `${SECRET}\n` });
  startRepository(others);
});
afterAll(() => goals.world.close());

const READS = [
  '',
  '/diff',
  '/changes',
  '/proof',
  '/checkpoints',
  '/ledger?limit=200',
  '/turns?limit=100',
];

test('BOX-33 a .git file that a command wrote names the repository of another workspace: changes, checks, approvals and bases show nothing of it', async () => {
  const { world } = goals;
  const { client } = world;
  const path = await world.workspace({ 'place.txt': others });
  const criteria = [{ kind: 'command', command: 'grep -q 42 answer.txt' } as const];
  const goal = await goals.run('plants', { workspace: { path }, criteria });
  const { goalId } = goal;
  expect(goal.completion?.changedFiles).toContain('answer.txt');
  const shown = await Promise.all([
    ...READS.map((read) => client.get<unknown>(`/v1/goals/${goalId}${read}`).catch(String)),
    client.get<unknown>(`/v1/approvals?goalId=${goalId}`),
    client.get<unknown>(`/v1/workspaces`),
  ]);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  writeFileSync(join(path, '.git'), `gitdir: ${others}/.git\n`);
  const head = gitIn(others)('rev-parse', 'HEAD');
  const body = { objective: 'waits: go', criteria, workspace: { path } };
  for (const base of ['HEAD', 'main', head]) {
    const refused = await problemOf(client.send('POST', '/v1/goals', { ...body, scope: { base } }));
    expect(refused.detail, base).toContain('leads to a repository elsewhere');
  }
  expect(JSON.stringify(await client.get('/v1/workspaces'))).not.toContain(SECRET);
});
