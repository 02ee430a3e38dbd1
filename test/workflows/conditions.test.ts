import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { createClient } from '../../src/cli/client.ts';
import { addressRules } from '../../src/net/addresses.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from './helpers.ts';

/** Waits for what the objective names behind its colon, then writes and claims. */
const waits =
  (more: object = {}): Script =>
  (request) => {
    const asked = JSON.parse(objectiveOf(request).split(' ## ')[1] ?? '{}');
    return sequence([reply.call('wait_for', { ...asked, ...more }), write, claim])(request);
  };

const scripts: Record<string, Script> = {
  waits: waits(),
  briefly: waits({ timeoutSeconds: 2 }),
  both: sequence([reply.call('wait_for', { file: 'a', url: 'http://example.org' }), write, claim]),
  works: sequence([write, claim]),
};

const policy: StartGoal['policy'] = { continuation: { pollMinSeconds: 1, pollMaxSeconds: 1 } };

let goals: ScriptedGoals;
let server: Server;
let isUp = false;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, {
    wrapPorts: (ports) => ({ ...ports, addresses: addressRules(['127.0.0.1']) }),
  });
  server = createServer((_request, response) => {
    response.statusCode = isUp ? 204 : 503;
    response.end();
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  server.close();
  await goals.world.close();
});

const start = async (name: string, asked: object, path?: string) => {
  const workspace = { path: path ?? (await goals.world.workspace({})) };
  const objective = `${name}: go ## ${JSON.stringify(asked)}`;
  const goalId = await goals.start(name, { objective, workspace, policy });
  return { goalId, path: workspace.path };
};
const waiting = (goalId: string) =>
  goals.world.until(goalId, ({ activity }) => activity.on === 'condition');
const electionOf = async (goalId: string) => {
  const [election] = await goals.world.database<{ state: string; looks: number; seen: string }[]>`
    SELECT state, looks, seen FROM election WHERE goal_id = ${goalId}`;
  return election;
};
const looked = (goalId: string, times: number) =>
  waitUntil(async () => ((await electionOf(goalId))?.looks ?? 0) >= times);
const saidTo = (goalId: string): string =>
  goals.world.model.requests
    .filter((request) => goalIdOf(request) === goalId)
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join('\n') ?? '';

describe('wait_for', () => {
  test('a command: the host looks without a model call until it exits 0, and one row says so', async () => {
    const { goalId, path } = await start('waits', { command: 'test -f built && cat built' });
    const { activity, usage } = await waiting(goalId);
    expect(activity).toMatchObject({ on: 'condition', actor: 'Clock' });
    expect(activity.until).toBeDefined();
    await looked(goalId, 2);
    await writeFile(join(path, 'built'), 'all of it');
    const goal = await goals.rest(goalId);
    expect(goal.status).toBe('complete');
    expect(await goals.story(goalId)).toEqual(['start: 7 wait', 'wake: 4 complete']);
    expect(saidTo(goalId)).toContain('it exited 0; its output ends with: "all of it"');
    expect(goal.usage.turns).toBe(usage.turns + 1);
    const rows = await goals.world.database`
      SELECT 1 FROM ledger WHERE goal_id = ${goalId} AND phase = 'settled'
        AND call_id LIKE '%.look.%'`;
    expect(rows.count).toBe(1);
  });

  test('a file: the workspace is free for another goal meanwhile, whose work it may be', async () => {
    const { goalId, path } = await start('waits', { file: 'answer.txt' });
    await waiting(goalId);
    const other = await start('works', {}, path);
    expect((await goals.rest(other.goalId)).status).toBe('complete');
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'met', seen: 'answer.txt exists' });
  });

  test('a URL: until it answers with success', async () => {
    const { port } = server.address() as AddressInfo;
    const { goalId } = await start('waits', { url: `http://127.0.0.1:${port}/health` });
    await looked(goalId, 2);
    expect(await electionOf(goalId)).toMatchObject({ state: 'waiting', seen: 'it answered 503' });
    isUp = true;
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'met', seen: 'it answered 204' });
  });

  test('a time that has come: the clock wakes it', async () => {
    const until = new Date(Date.now() + 2000).toISOString();
    const { goalId } = await start('waits', { until });
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect(await electionOf(goalId)).toMatchObject({ state: 'fired' });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  });

  test('a timeout wakes the model, which is told what the host saw last', async () => {
    const { goalId } = await start('briefly', { command: 'echo not yet; false' });
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'timed_out' });
    expect(saidTo(goalId)).toContain('because the time is over');
    expect(saidTo(goalId)).toContain('it exited 1; its output ends with: "not yet"');
  });

  test('a path that leads out of the workspace is refused, and the model woken at once', async () => {
    const { goalId } = await start('waits', { file: '../../etc/passwd' });
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'refused' });
    expect(saidTo(goalId)).toContain('leads out of the workspace');
  });

  test('two things at once are refused with what is wrong', async () => {
    const { goalId } = await start('both', {});
    await goals.rest(goalId);
    expect(saidTo(goalId)).toContain('name exactly one of command, file, url, event, until');
  });

  test('a message ends the wait, also while the host looks', async () => {
    const { goalId } = await start('waits', { command: 'sleep 60' });
    await waiting(goalId);
    await goals.send(goalId, 'messages', { text: 'Never mind.' });
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'overtaken' });
    expect((await goals.story(goalId))[1]).toMatch(/^message: /);
  });

  test("TRIG-35 a program's message ends it as well, and the goal goes on", async () => {
    const { goalId } = await start('waits', { command: 'sleep 60' });
    await waiting(goalId);
    await giveTo(goals.world, goalId, TOKENS.agent);
    const agent = createClient({ url: goals.world.url, token: TOKENS.agent });
    await agent.send('POST', `/v1/goals/${goalId}/messages`, { text: 'CI is slow.' });
    await goals.rest(goalId);
    expect(await electionOf(goalId)).toMatchObject({ state: 'overtaken' });
    expect((await goals.story(goalId))[1]).toMatch(/^resume: /);
  });

  test('a rule that forbids the command by now ends the wait, also while the host looks', async () => {
    const { goalId, path } = await start('waits', { command: 'touch begun; sleep 60' });
    await waitUntil(() => existsSync(join(path, 'begun')));
    await goals.amend(goalId, {
      policy: { tools: [{ tool: 'run_command', command: 'sleep', decision: 'deny' }] },
    });
    expect((await goals.rest(goalId)).status).toBe('complete');
    expect(await electionOf(goalId)).toMatchObject({ state: 'refused' });
    expect(saidTo(goalId)).toContain('the policy forbids it by now: goal rule 1');
  });
});
