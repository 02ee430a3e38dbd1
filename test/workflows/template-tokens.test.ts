import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { MadeToken, Token } from '../../schema/token.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { claim, write } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

const template = (command: string) => `
templates:
  answer:
    parameters: {to: {}, in: {default: answer.txt}}
    objective: "Answer {{to}}"
    scope: {change: ["answer.txt"]}
    criteria: [{kind: command, command: "${command} {{in}}"}]
`;

let world: GoalWorld;
let path: string;
let workspace: string;
let made: MadeToken;
let bound: Client;
beforeAll(async () => {
  world = await openGoalWorld({ script: sequence([write, claim]) });
  path = await world.workspace({ 'goalkeeper.yaml': template('grep -q 42') });
  await world.start({ objective: 'look', mode: 'gather', criteria: [], workspace: { path } });
  const { items } = await world.client.get<{ items: { name: string; path: string }[] }>(
    '/v1/workspaces',
  );
  workspace = items.find((one) => one.path === path)?.name ?? '';
  made = await make('nightly', { templates: [`${workspace}/answer`] });
  bound = createClient({ url: world.url, token: made.token });
});
afterAll(() => world.close());

const make = (name: string, more: object) =>
  world.client.send<MadeToken>('POST', '/v1/tokens', { name, role: 'agent', ...more });
const begin = (client: Client, values: object, name = 'answer', key?: string) =>
  client.send<Goal>('POST', `/v1/workspaces/${workspace}/templates/${name}/goals`, { values }, key);

describe('WHO-51 a token that is bound to templates', () => {
  test('starts goals from them, which end proven, looks at them and pauses them', async () => {
    expect(made.templates).toEqual([`${workspace}/answer`]);
    const started = await begin(bound, { to: 'Ann & Bob' }, 'answer', 'night-1');
    expect(started.objective).toBe('Answer Ann & Bob');
    const by = await world.database`
      SELECT created_by AS who FROM goal WHERE goal_id = ${started.goalId}`;
    expect(by).toMatchObject([{ who: 'nightly' }]);
    expect(await begin(bound, { to: 'Ann & Bob' }, 'answer', 'night-1')).toMatchObject({
      goalId: started.goalId,
    });
    const done = await world.until(started.goalId, ({ status }) => status === 'complete');
    expect(done.completion?.verification).toBe('verified');
    expect(await bound.get<Goal>(`/v1/goals/${started.goalId}`)).toMatchObject({
      status: 'complete',
    });
    const later = await begin(bound, { to: 'Cid' });
    expect(await bound.send('POST', `/v1/goals/${later.goalId}/pause`, {})).toBeDefined();
  });

  test.each<[string, string, object]>([
    ['starts nothing else', '/v1/goals', { objective: 'rm', criteria: [] }],
    ['says nothing to its goal', '/v1/goals/GOAL/messages', { text: 'do more' }],
    ['makes no schedule', '/v1/schedules', { name: 'x', when: { everySeconds: 86_400 } }],
    ['takes no slot', '/v1/threads/th-1/goal', { objective: 'rm' }],
    ['makes no token', '/v1/tokens', { name: 'y', role: 'agent' }],
  ])('%s', async (_, address, body) => {
    const { goalId } = await begin(bound, { to: 'Dora' });
    const call = bound.send(
      address.startsWith('/v1/threads') ? ('PUT' as 'POST') : 'POST',
      address.replace('GOAL', goalId),
      body,
    );
    expect(await problemOf(call)).toMatchObject({ code: 'forbidden' });
  });

  test('starts nothing else over MCP, and a browser that it signs in does not either', async () => {
    const { code } = await bound.send<{ code: string }>('POST', '/v1/session/codes', {});
    const own = { origin: world.url, 'content-type': 'application/json' };
    const body = JSON.stringify({ code });
    const answer = await fetch(`${world.url}/v1/session`, { method: 'POST', headers: own, body });
    const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const headers = { ...own, cookie, 'x-goalkeeper-console': consoleSecret };
    const start = JSON.stringify({ objective: 'rm', criteria: [] });
    const refused = await fetch(`${world.url}/v1/goals`, { method: 'POST', headers, body: start });
    expect(refused.status).toBe(403);
    const tool = {
      name: 'start_goal',
      arguments: { objective: 'rm', workspace: { name: workspace } },
    };
    const asked = await fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${made.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
    });
    expect(await asked.text()).toMatch(/starts goals from its templates/);
    const goals = await world.database`SELECT 1 FROM goal WHERE objective = 'rm'`;
    expect(goals).toHaveLength(0);
  });

  test.each<[string, object, string, object]>([
    ['a template of another name', { to: 'x' }, 'other', { code: 'forbidden' }],
    ['a value that is missing', {}, 'answer', { field: 'values.to' }],
    ['a parameter that is none', { to: 'x', as: 'y' }, 'answer', { field: 'values.as' }],
    ['a command in a value', { to: 'x', in: 'a; rm b' }, 'answer', { field: 'values.in' }],
    ['a folder above in a value', { to: 'x', in: '../b' }, 'answer', { field: 'values.in' }],
  ])('refuses %s by name', async (_, values, name, problem) => {
    expect(await problemOf(begin(bound, values, name))).toMatchObject(problem);
  });

  test('keeps its templates as they were, whoever writes their file', async () => {
    await writeFile(join(path, 'goalkeeper.yaml'), template('grep -q 4'));
    const started = await begin(bound, { to: 'Eve' });
    expect(started.criteria[0]?.spec).toMatchObject({ command: 'grep -q 42 answer.txt' });
    const byFile = await begin(world.client, { to: 'Eve' });
    expect(byFile.criteria[0]?.spec).toMatchObject({ command: 'grep -q 4 answer.txt' });
  });

  test('is answered as before where it asks again, also after the template is gone', async () => {
    const byFile = await begin(world.client, { to: 'Finn' }, 'answer', 'once');
    await writeFile(join(path, 'goalkeeper.yaml'), 'templates: {}\n');
    const again = await begin(world.client, { to: 'Finn' }, 'answer', 'once');
    expect(again.goalId).toBe(byFile.goalId);
    await writeFile(join(path, 'goalkeeper.yaml'), template('grep -q 42'));
  });

  test('is made of templates that are there, for programs, by whoever may', async () => {
    const refused = async (more: object) =>
      await problemOf(make('x', { templates: [`${workspace}/answer`], ...more }));
    expect(await refused({ role: 'operator' })).toMatchObject({ field: 'templates' });
    expect(await refused({ templates: ['nowhere/answer'] })).toMatchObject({
      field: 'templates.0',
    });
    expect(await refused({ templates: [`${workspace}/none`] })).toMatchObject({
      code: 'not_found',
    });
    expect(await refused({ workspaces: ['elsewhere'] })).toMatchObject({ field: 'templates.0' });
    const { items } = await world.client.get<{ items: Token[] }>('/v1/tokens');
    expect(items.map(({ name }) => name)).toEqual(['nightly']);
  });
});
