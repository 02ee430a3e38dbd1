import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as next from '@modelcontextprotocol/client';
import { StdioClientTransport as NextTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { SentMessage } from '../../schema/sent-message.ts';
import { createClient } from '../../src/cli/client.ts';
import { compiled } from '../support/compiled.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

const writes = reply.call('write_file', {
  path: 'src/answer.js',
  content: 'module.exports = 42;\n',
});

describe('goalkeeper mcp beside a coding agent', () => {
  let goals: ScriptedGoals;
  const clients: Client[] = [];
  beforeAll(async () => {
    goals = await openScriptedGoals({
      works: sequence([writes, claim]),
      waits: () => reply.call('continue_work', { delaySeconds: 300, reason: 'CI is running' }),
      sleeps: sequence([
        reply.call('run_command', { command: 'touch begun.txt; sleep 600' }),
        writes,
        claim,
      ]),
    });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await goals.world.close();
  });

  const started = (cwd: string, token: string) => ({
    command: process.execPath,
    args: [compiled('src/cli/main.ts'), 'mcp'],
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      GOALKEEPER_HOME: '/nonexistent',
      GOALKEEPER_URL: goals.world.url,
      GOALKEEPER_TOKEN: token,
    },
    stderr: 'inherit' as const,
  });
  const connect = async (
    cwd: string,
    roots: readonly string[] = [],
    token: string = TOKENS.admin,
  ) => {
    const capabilities = roots.length === 0 ? {} : { roots: {} };
    const client = new Client({ name: 'agent', version: '1' }, { capabilities });
    if (roots.length > 0)
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
      }));
    await client.connect(
      new StdioClientTransport(started(cwd, token)) as Parameters<Client['connect']>[0],
    );
    clients.push(client);
    return client;
  };
  const use = async (client: Client, name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const goalOf = ({ structuredContent, content }: CallToolResult): Goal => {
    if (structuredContent === undefined) throw new Error(JSON.stringify(content));
    return structuredContent as unknown as Goal;
  };
  const criteria = [
    { kind: 'command', command: 'node -e "process.exit(require(\'./src/answer.js\') - 42)"' },
  ];
  const works = { objective: 'works: go', criteria };

  test('MCP-10 a goal works in the first root of the client, as an agent, and is waited for until it needs a person', async () => {
    const folder = await goals.world.workspace({ 'src/answer.js': 'module.exports = 41;\n' });
    const client = await connect('/', [folder]);
    let goal = goalOf(await use(client, 'start_goal', works));
    expect(goal.workspace.path).toBe(folder);
    for (let looks = 0; looks < 60 && goal.status === 'active'; looks += 1) {
      const asked = { goalId: goal.goalId, waitSeconds: 20, knownRevision: goal.revision };
      const next = goalOf(await use(client, 'get_goal', asked));
      expect(next.status !== 'active' || next.revision > goal.revision).toBe(true);
      goal = next;
    }
    // What no file of the folder judges is a person's to accept.
    expect(goal.pause?.reason).toBe('unverified_claim');
    const [row] = await goals.world.database`
      SELECT created_by_role FROM goal WHERE goal_id = ${goal.goalId}`;
    expect(row).toEqual({ created_by_role: 'agent' });
  });

  test('MCP-41 what its tools pause is recorded as paused by a program, also by the token of a person, and what the person pauses as theirs', async () => {
    const client = await connect(await goals.world.workspace({}));
    const waits = { ...works, objective: 'waits: go' };
    const { goalId } = goalOf(await use(client, 'start_goal', waits));
    expect(goalOf(await use(client, 'pause_goal', { goalId })).pause?.reason).toBe('program');
    expect((await goals.world.get(goalId)).activity.reason).toBe('paused by a program');
    await goals.send(goalId, 'resume');
    expect((await goals.send(goalId, 'pause')).pause?.reason).toBe('person');
  });

  const listed = async (client: Client, goalId: string) =>
    ((await use(client, 'list_messages', { goalId })).structuredContent as { items: SentMessage[] })
      .items;
  const said = async (client: Client, goalId: string, text: string) => {
    goalOf(await use(client, 'send_message', { goalId, text, delivery: 'steer' }));
    const [newest] = await listed(client, goalId);
    return newest?.messageId ?? '';
  };
  const refusalOf = ({ isError, content }: CallToolResult): { code: string; detail: string } => {
    expect(isError).toBe(true);
    return JSON.parse((content[0] as { text: string }).text);
  };
  /** Until a command of it runs, which ends after ten minutes. */
  const asleep = async (client: Client, folder: string) => {
    const goal = goalOf(await use(client, 'start_goal', { ...works, objective: 'sleeps: go' }));
    await waitUntil(() => existsSync(join(folder, 'begun.txt')));
    return goal.goalId;
  };

  test('MCP-42 a program lists what was said to its goal and takes its own words back before a model call reads them, once however often it asks', async () => {
    const folder = await goals.world.workspace({});
    const client = await connect(folder);
    const goalId = await asleep(client, folder);
    const stays = await said(client, goalId, 'Paint it green.');
    const goes = await said(client, goalId, 'Paint it blue.');
    const asked = { goalId, messageId: goes, idempotencyKey: 'back-1' };
    const first = goalOf(await use(client, 'take_back_message', asked));
    expect(goalOf(await use(client, 'take_back_message', asked)).revision).toBe(first.revision);
    expect(await listed(client, goalId)).toMatchObject([
      { messageId: goes, state: 'taken_back', voice: 'agent', turn: null },
      { messageId: stays, state: 'waiting', voice: 'agent', turn: null },
    ]);
    const { callId } = (
      await goals.world.client.get<{ items: { callId: string }[] }>(
        `/v1/goals/${goalId}/calls?outcome=running&tool=run_command`,
      )
    ).items[0] ?? { callId: '' };
    await goals.send(goalId, `calls/${encodeURIComponent(callId)}/stop`);
    await goals.rest(goalId);
    const read = goals.world.model.requests
      .filter((request) => goalIdOf(request) === goalId)
      .flatMap(({ messages }) => messages.map(({ text }) => text))
      .join('\n');
    expect([read.includes('green'), read.includes('blue')]).toEqual([true, false]);
    const late = await use(client, 'take_back_message', { goalId, messageId: stays });
    expect(refusalOf(late)).toMatchObject({ code: 'invalid_transition' });
  });

  test('MCP-43 a program takes back neither what another one said nor what is unknown, and ends no command by its words', async () => {
    const folder = await goals.world.workspace({});
    const client = await connect(folder);
    const goalId = await asleep(client, folder);
    const other = createClient({ url: goals.world.url, token: TOKENS.operator });
    await other.send('POST', `/v1/goals/${goalId}/messages`, { text: 'Go on.', delivery: 'steer' });
    const [newest] = await listed(client, goalId);
    const messageId = newest?.messageId ?? '';
    const refused = await use(client, 'take_back_message', { goalId, messageId });
    expect(refusalOf(refused)).toMatchObject({ code: 'forbidden', field: 'messageId' });
    const unknown = await use(client, 'take_back_message', { goalId, messageId: '../m-1' });
    expect(refusalOf(unknown)).toMatchObject({ code: 'not_found', field: 'messageId' });
    const now = await use(client, 'send_message', { goalId, text: 'Stop.', delivery: 'now' });
    expect(now).toMatchObject({ isError: true });
    expect(JSON.stringify(now.content)).toContain('delivery');
    expect(await listed(client, goalId)).toMatchObject([{ messageId, state: 'waiting' }]);
    const stops = await goals.world.database`SELECT 1 FROM call_stop WHERE goal_id = ${goalId}`;
    expect(stops.count).toBe(0);
    await goals.send(goalId, 'clear');
  });

  test('MCP-11 without roots it is where the server was started; any other folder is refused, with those that are known', async () => {
    const folder = await goals.world.workspace({});
    const other = await goals.world.workspace({});
    const client = await connect(folder);
    const started = goalOf(
      await use(client, 'start_goal', { ...works, workspace: { path: folder } }),
    );
    expect(started.workspace.path).toBe(folder);
    const refused = await use(client, 'start_goal', { ...works, workspace: { path: other } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain(folder);
    const listed = await use(client, 'list_workspaces');
    const { items } = listed.structuredContent as { items: { name: string; path: string }[] };
    expect(items).toContainEqual(
      expect.objectContaining({ name: started.workspace.name, path: folder }),
    );
  });

  test('MCP-12 a token of an agent works where a person has served the folder, and gives no folder a name', async () => {
    const folder = await goals.world.workspace({});
    const client = await connect(folder, [], TOKENS.agent);
    const refused = await use(client, 'start_goal', works);
    expect(JSON.stringify(refused.content)).toContain('forbidden');
    await goals.world.client.send('POST', '/v1/workspaces', { path: folder });
    expect(goalOf(await use(client, 'start_goal', works)).workspace.path).toBe(folder);
  });

  test.each([
    ['its roots, which it tells when it is asked', true],
    ['where it started the server, since it tells none', false],
  ])(
    'MCP-32 by revision 2026-07-28 a goal works where the client works: %s',
    async (_, hasRoots) => {
      const folder = await goals.world.workspace({});
      const client = new next.Client(
        { name: 'agent', version: '1' },
        {
          capabilities: hasRoots ? { roots: {} } : {},
          versionNegotiation: { mode: { pin: '2026-07-28' } },
        },
      );
      const roots = [{ uri: 'file://elsewhere/x' }, { uri: pathToFileURL(folder).href }];
      if (hasRoots) client.setRequestHandler('roots/list', () => ({ roots }));
      await client.connect(new NextTransport(started(hasRoots ? '/' : folder, TOKENS.admin)));
      onTestFinished(() => client.close());
      const answer = await client.callTool({ name: 'start_goal', arguments: works });
      expect(goalOf(answer as CallToolResult).workspace.path).toBe(folder);
    },
  );

  test('MCP-13 neither the machine, nor a folder within a workspace, gets a name', async () => {
    const folder = await goals.world.workspace({});
    const inner = join(folder, 'inner');
    await mkdir(inner);
    await goals.world.client.send('POST', '/v1/workspaces', { path: folder });
    for (const path of ['/', inner, '/nowhere/at/all']) {
      const client = await connect('/', [path]);
      const refused = await use(client, 'start_goal', works);
      expect([path, refused.isError]).toEqual([path, true]);
    }
  });
});
