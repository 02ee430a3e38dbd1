import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import { findService } from '../../src/cli/service.ts';
import { answerExists } from '../api/live-script.ts';
import { eventually } from '../support/eventually.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { CLI_FOLDER } from '../support/servers.ts';
import { type Running, start } from './command-line.ts';

const scripts: Record<string, Script> = {
  works: sequence([
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is there.' }),
  ]),
  waits: sequence([
    reply.call('wait_for', { file: 'ready' }),
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is there.' }),
  ]),
};

let model: ScriptedModel;
const folders: string[] = [];
const folder = (make: (prefix: string) => string, prefix: string): string => {
  const made = make(prefix);
  folders.push(made);
  return made;
};
const running: Running[] = [];
beforeAll(async () => {
  model = await startScriptedModel({
    script: (request) => {
      const objective = JSON.stringify(request.messages);
      return (objective.includes('waits: go') ? scripts.waits : scripts.works)?.(request) as never;
    },
  });
});
afterAll(async () => {
  for (const up of running) {
    up.interrupt();
    await up.done;
  }
  await model.close();
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

const environmentOf = (home: string): Record<string, string> => ({
  GOALKEEPER_HOME: home,
  GOALKEEPER_PORT: '0',
  GOALKEEPER_DRAIN_SECONDS: '5',
  GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
  GOALKEEPER_MODEL: 'compatible/scripted',
  OPENAI_COMPATIBLE_BASE_URL: model.url,
  OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only',
});

/** A service of its own with its own PostgreSQL and Temporal. */
async function up(home: string): Promise<{ readonly up: Running; readonly client: Client }> {
  const up = start(['up'], environmentOf(home));
  running.push(up);
  await up.untilErr('documentation at');
  return { up, client: createClient(findService({ GOALKEEPER_HOME: home })) };
}

const get = (client: Client, goalId: string) => client.get<Goal>(`/v1/goals/${goalId}`);
const until = (client: Client, goalId: string, holds: (goal: Goal) => boolean) =>
  eventually(async () => {
    const goal = await get(client, goalId);
    if (!holds(goal))
      throw new Error(`${goalId} is ${goal.status}, ${JSON.stringify(goal.activity)}`);
    return goal;
  });
async function begin(client: Client, goal: Partial<StartGoal> & { objective: string }) {
  const path = folder((prefix) => mkdtempSync(join(tmpdir(), prefix)), 'goalkeeper-tree-');
  return await client.send<Goal>('POST', '/v1/goals', {
    ...{ workspace: { path }, criteria: [answerExists], scope: { change: ['answer.txt'] } },
    ...goal,
  });
}

test('KEEP-24 a service that is put back elsewhere has what it had, and its goals go on as their policy says', async () => {
  const home = folder(memoryFolder, 'goalkeeper-first-');
  symlinkSync(CLI_FOLDER, join(home, 'bin'));
  const first = await up(home);
  const done = await begin(first.client, { objective: 'works: go' });
  await until(first.client, done.goalId, ({ status }) => status === 'complete');
  const asks = await begin(first.client, { objective: 'waits: go' });
  const goesOn = await begin(first.client, {
    ...{ objective: 'waits: go', policy: { onLost: 'resume' } },
  });
  for (const { goalId } of [asks, goesOn])
    await until(first.client, goalId, ({ activity }) => activity.on === 'condition');
  const backup = join(folder(memoryFolder, 'goalkeeper-copy-'), 'made');
  const made = await start(['backup', backup], environmentOf(home)).done;
  expect([made.exitCode, made.err]).toEqual([0, expect.stringContaining('LEDGER_KEY')]);
  const later = await begin(first.client, { objective: 'works: go' });
  await until(first.client, later.goalId, ({ status }) => status === 'complete');
  first.up.interrupt();
  await first.up.done;

  const elsewhere = join(folder(memoryFolder, 'goalkeeper-second-'), 'home');
  const environment = environmentOf(elsewhere);
  const restored = await start(['restore', backup], environment).done;
  expect([restored.exitCode, restored.out]).toEqual([0, expect.stringContaining(elsewhere)]);
  expect((await start(['restore', backup], environment).done).exitCode).toBe(3);
  mkdirSync(elsewhere, { recursive: true });
  symlinkSync(CLI_FOLDER, join(elsewhere, 'bin'));
  const { client } = await up(elsewhere);
  expect(await get(client, done.goalId)).toMatchObject({
    ...{ status: 'complete', completion: { verification: 'verified' } },
  });
  await expect(get(client, later.goalId)).rejects.toMatchObject({ problem: { code: 'not_found' } });
  const verified = await start(['ledger', 'verify', done.goalId], environment).done;
  expect([verified.exitCode, verified.out]).toEqual([0, expect.stringContaining('holds')]);

  const paused = await until(client, asks.goalId, ({ status }) => status === 'paused');
  expect(paused.pause?.reason).toBe('recovery');
  for (const { workspace } of [asks, goesOn]) writeFileSync(join(workspace.path, 'ready'), '');
  await until(client, goesOn.goalId, ({ status }) => status === 'complete');
  await client.send('POST', `/v1/goals/${asks.goalId}/resume`, {});
  const resumed = await until(client, asks.goalId, ({ status }) => status === 'complete');
  expect(resumed.completion).toMatchObject({ verification: 'verified' });
});
