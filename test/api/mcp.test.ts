import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as next from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { createApi, type RoleName } from './calls.ts';
import { tokens } from './memory-ports.ts';

const { memory, server, call } = createApi();
let url: string;
beforeAll(async () => {
  url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/mcp`;
});
afterAll(() => server.close());

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function connect(role: RoleName, lowered?: RoleName): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const acting = lowered === undefined ? {} : { 'goalkeeper-role': lowered };
  const headers = { authorization: `Bearer ${tokens[role]}`, ...acting };
  // The SDK's own types miss an `undefined` that this project's compiler asks for.
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  clients.push(client);
  return client;
}

async function use(client: Client, name: string, args: object = {}) {
  const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const [content] = result.content;
  if (content?.type !== 'text') throw new Error(`${name} answered without text`);
  return { isError: result.isError === true, text: content.text };
}

const parsed = <Body>(answer: { text: string }) => JSON.parse(answer.text) as Body;
const workspace = { name: 'shop' };

describe('the MCP server', () => {
  it('offers what an agent may do with goals, and nothing that is left to people', async () => {
    const { tools } = await (await connect('admin')).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'start_goal',
      'get_goal',
      'list_goals',
      'list_workspaces',
      'pause_goal',
      'send_message',
      'list_messages',
      'take_back_message',
      'get_gate',
      'list_ledger',
    ]);
    for (const tool of tools) expect(tool.inputSchema.type).toBe('object');
    for (const tool of tools) expect(tool.outputSchema?.type).toBe('object');
  });

  it('acts as an agent, whatever else the token may do', async () => {
    const client = await connect('admin');
    const started = await use(client, 'start_goal', { objective: 'Fix it', workspace });
    const { goalId } = parsed<Goal>(started);
    expect(memory.createdBy.get(goalId)).toBe('agent');
    await use(client, 'send_message', { goalId, text: 'Mind the gap', delivery: 'steer' });
    expect(memory.mutations.at(-1)).toMatchObject({ kind: 'message', delivery: 'steer' });
    expect(parsed<Goal>(await use(client, 'get_goal', { goalId })).goalId).toBe(goalId);
    const { items } = parsed<{ items: Goal[] }>(await use(client, 'list_goals', { limit: 5 }));
    expect(items.map((goal) => goal.goalId)).toContain(goalId);
    expect((await use(client, 'pause_goal', { goalId })).isError).toBe(false);
  });

  it('starts one goal for one idempotency key, however often it is asked', async () => {
    const client = await connect('agent');
    const args = { objective: 'Fix it once', workspace, idempotencyKey: 'k-1' };
    const first = parsed<Goal>(await use(client, 'start_goal', args));
    const again = parsed<Goal>(await use(client, 'start_goal', args));
    expect(again.goalId).toBe(first.goalId);
  });

  it("tells the service's own refusal, with code and field", async () => {
    const client = await connect('agent');
    const unknown = await use(client, 'get_goal', { goalId: 'g-none' });
    expect(unknown.isError).toBe(true);
    expect(parsed<{ code: string }>(unknown).code).toBe('not_found');
    const wrong = await use(client, 'start_goal', { objective: '' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('objective') });
    for (const lowered of [await connect('viewer'), await connect('operator', 'viewer')]) {
      const refused = await use(lowered, 'pause_goal', { goalId: 'g-1' });
      expect(parsed<{ code: string }>(refused).code).toBe('forbidden');
    }
  });

  it('MCP-14 answers with structured content that keeps its schema, and the same as text', async () => {
    const client = await connect('agent');
    await client.listTools();
    const { text } = await use(client, 'start_goal', { objective: 'Fix it', workspace });
    const { goalId } = JSON.parse(text) as Goal;
    const calls = [
      ['get_goal', { goalId }],
      ['list_goals', {}],
      ['list_workspaces', {}],
      ['list_messages', { goalId }],
      ['get_gate', { goalId }],
      ['list_ledger', { goalId }],
      ['pause_goal', { goalId }],
    ] as const;
    for (const [name, args] of calls) {
      const answer = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
      const [content] = answer.content;
      expect(content).toEqual({
        type: 'text',
        text: JSON.stringify(answer.structuredContent, null, 1),
      });
    }
  });

  it('MCP-15 waits for a change of an active goal: until its time is over, or not at all', async () => {
    const client = await connect('agent');
    const goal = parsed<Goal>(await use(client, 'start_goal', { objective: 'Wait', workspace }));
    const { goalId, revision } = goal;
    const took = async (args: object) => {
      const begun = Date.now();
      const seen = parsed<Goal>(await use(client, 'get_goal', { goalId, ...args }));
      return { seen, milliseconds: Date.now() - begun };
    };
    const idle = await took({ waitSeconds: 2, knownRevision: revision });
    expect(idle.milliseconds).toBeGreaterThanOrEqual(1900);
    const behind = await took({ waitSeconds: 50, knownRevision: revision - 1 });
    expect(behind.milliseconds).toBeLessThan(20_000);
    const waiting = took({ waitSeconds: 50, knownRevision: revision });
    memory.goals.set(goalId, { ...goal, revision: revision + 1 });
    expect((await waiting).seen.revision).toBe(revision + 1);
    memory.goals.set(goalId, { ...goal, status: 'paused' });
    expect((await took({ waitSeconds: 50, knownRevision: revision })).seen.status).toBe('paused');
    const tooLong = await use(client, 'get_goal', { goalId, waitSeconds: 600 });
    expect(tooLong).toMatchObject({ isError: true, text: expect.stringContaining('waitSeconds') });
  });

  it('refuses arguments that no tool knows: what they would hold back is not dropped', async () => {
    const client = await connect('agent');
    const before = memory.createdBy.size;
    const policy = { sandbox: { network: 'none' } };
    const refused = await use(client, 'start_goal', { objective: 'Fix it', workspace, policy });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('policy') });
    expect(memory.createdBy.size).toBe(before);
  });

  it('keeps no sessions and lets nobody in without a token', async () => {
    expect((await call('GET /mcp')).status).toBe(405);
    expect((await call('POST /mcp', { headers: { authorization: '' } })).status).toBe(401);
    expect((await call('POST /mcp', { raw: '{' })).body.code).toBe('malformed_json');
  });
});

describe('revision 2026-07-28 of the protocol, whose requests say all of themselves', () => {
  const connectNext = async (mode: next.VersionNegotiationMode, role: RoleName = 'admin') => {
    const client = new next.Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode } },
    );
    const headers = { authorization: `Bearer ${tokens[role]}` };
    await client.connect(
      new next.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    return client;
  };

  it.each(['auto', { pin: '2026-07-28' }] as const)(
    'MCP-30 is what a client that asks for it gets (%j): the same tools, answers and rights',
    async (mode) => {
      const client = await connectNext(mode);
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      const { tools } = await client.listTools();
      expect(tools).toEqual((await (await connect('admin')).listTools()).tools);
      const asked = { objective: 'Fix it', workspace };
      const answer = await client.callTool({ name: 'start_goal', arguments: asked });
      const { goalId } = answer.structuredContent as unknown as Goal;
      expect(memory.createdBy.get(goalId)).toBe('agent');
      const unknown = await client.callTool({ name: 'get_goal', arguments: { goalId: 'g-none' } });
      expect(unknown).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('not_found') }],
      });
      const viewer = await connectNext(mode, 'viewer');
      const refused = await viewer.callTool({ name: 'pause_goal', arguments: { goalId } });
      expect(refused).toMatchObject({ isError: true });
    },
  );

  it('MCP-31 who listens for changes is told at once that there are none', async () => {
    const client = await connectNext({ pin: '2026-07-28' });
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('limit');
  });

  it('MCP-30 is refused by name where a client asks for one that never was', async () => {
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2031-01-01',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const headers = {
      ...{ accept: 'application/json, text/event-stream', 'mcp-method': 'tools/list' },
      'mcp-protocol-version': '2031-01-01',
    };
    const refused = await call('POST /mcp', { role: 'agent', body, headers });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
  });
});

describe('the header goalkeeper-role', () => {
  it('lowers a role, never raises it, and must be one', async () => {
    const as = (role: RoleName, header: string) =>
      call('POST /v1/goals/g-1/clear', { role, headers: { 'goalkeeper-role': header } });
    expect((await as('admin', 'agent')).status).toBe(403);
    expect((await as('viewer', 'admin')).status).toBe(403);
    expect((await as('admin', 'admin')).status).toBe(404);
    expect((await as('admin', 'king')).body).toMatchObject({ field: 'goalkeeper-role' });
  });
});

describe('the public conformance suite', () => {
  const suite = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
  );
  let proxy: Server;
  beforeAll(async () => {
    proxy = await withToken(new URL(url));
  });
  afterAll(() => proxy.close());

  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'finds nothing wrong with %s',
    async (scenario) => {
      const { port } = proxy.address() as AddressInfo;
      const target = `http://127.0.0.1:${port}/mcp`;
      const args = [suite, 'server', '--url', target, '--scenario', scenario];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
    },
  );
});

/** The suite knows no tokens; all else reaches the server as it was sent. */
async function withToken(target: URL): Promise<Server> {
  const proxy = createServer((incoming, answer) => {
    const { method, headers } = incoming;
    const sent = { ...headers, authorization: `Bearer ${tokens.agent}` };
    const outgoing = request(target, { method, headers: sent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
