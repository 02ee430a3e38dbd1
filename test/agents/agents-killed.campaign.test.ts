import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerRow } from '../../schema/ledger.ts';
import { startWorkerProcess } from '../evidence/worker-process.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

const program = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));
const agents = { scripted: { command: process.execPath, args: [program], reads: [repository] } };

let goals: ScriptedGoals;
beforeAll(async () => {
  const environment = { GOALKEEPER_AGENTS: JSON.stringify(agents) };
  goals = await openScriptedGoals({}, { environment, worker: false });
});
afterAll(() => goals.world.close());

test('AGT-18 a worker that is killed in the middle of a prompt: the next one ends what its agent left, and tells it', async () => {
  const first = startWorkerProcess(goals.world);
  const goalId = await goals.start('leaves', { agent: 'scripted' });
  const { workspace } = await goals.world.get(goalId);
  const alive = join(workspace.path, 'alive');
  await waitUntil(() => existsSync(join(workspace.path, 'begun.txt')));
  await first.kill();
  startWorkerProcess(goals.world);
  expect(await goals.rest(goalId)).toMatchObject({
    status: 'complete',
    completion: { verification: 'verified' },
    usage: { turns: 1 },
  });
  const last = await readFile(alive, 'utf8');
  const home = join(goals.world.environment.GOALKEEPER_HOME ?? '', 'agents', goalId, 'home');
  expect(await readFile(join(home, 'sessions'), 'utf8')).toBe('s-1\n');
  expect(await readFile(join(home, 'prompts'), 'utf8')).toContain('was not seen');
  expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
    holds: true,
  });
  expect(await readFile(alive, 'utf8')).toBe(last);
});

test('AGT-30 a worker that is killed in the middle of what it runs for an agent: that has ended, its end is told as not seen, and the goal goes on', async () => {
  const first = startWorkerProcess(goals.world);
  const goalId = await goals.start('employs', { agent: 'scripted' });
  const { workspace } = await goals.world.get(goalId);
  const alive = join(workspace.path, 'alive');
  await waitUntil(() => existsSync(alive));
  await first.kill();
  startWorkerProcess(goals.world);
  expect(await goals.rest(goalId)).toMatchObject({
    status: 'complete',
    completion: { verification: 'verified' },
  });
  const last = await readFile(alive, 'utf8');
  const page = `/v1/goals/${goalId}/ledger?limit=200`;
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
  const ran = items.filter(({ tool, phase }) => tool === 'run_command' && phase === 'settled');
  expect(ran.map(({ outcome }) => outcome)).toEqual(['unknown']);
  expect(ran[0]?.receipt?.reason).toContain('its end was not seen');
  expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
    holds: true,
  });
  expect(await readFile(alive, 'utf8')).toBe(last);
});

test('AGT-33 a worker that is killed in the middle of what an agent has it run by the goal’s tools: that has ended, its end is told as not seen, and nothing runs twice', async () => {
  const first = startWorkerProcess(goals.world);
  const goalId = await goals.start('orders', { agent: 'scripted' });
  const { workspace } = await goals.world.get(goalId);
  const alive = join(workspace.path, 'alive');
  await waitUntil(() => existsSync(alive));
  await first.kill();
  startWorkerProcess(goals.world);
  expect(await goals.rest(goalId)).toMatchObject({
    status: 'complete',
    completion: { verification: 'verified' },
  });
  const last = await readFile(alive, 'utf8');
  expect(await readFile(join(workspace.path, 'runs'), 'utf8')).toBe('run\n');
  const page = `/v1/goals/${goalId}/ledger?limit=200`;
  const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
  const ofCommands = items
    .toSorted((a, b) => a.seq - b.seq)
    .filter(({ tool, receipt }) => tool === 'run_command' && receipt?.origin !== 'gate');
  const settled = ofCommands.filter(({ phase }) => phase === 'settled');
  expect(settled.map(({ outcome }) => outcome)).toEqual(['unknown', 'succeeded']);
  expect(settled[0]?.receipt?.reason).toContain('its end was not seen');
  expect(ofCommands.filter(({ phase }) => phase === 'started')).toHaveLength(2);
  expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
    holds: true,
  });
  expect(await readFile(alive, 'utf8')).toBe(last);
});
