import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { ToolPin } from '../../schema/tool-pin.ts';
import { pinText } from '../../src/cli/pin-text.ts';
import { TOKENS } from '../support/goal-world.ts';
import { giveAway, needsOwner } from '../support/ordinary-owner.ts';
import { openApprovalWorld } from './approval-world.ts';

const desktop = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-desk-')));
const deskFile = join(desktop, 'orders.txt');
const order = (what: string) => reply.call('mcp__desk__order', { what });
const ask = reply.call('ask_user', { question: 'What comes next?' });

const scripts = {
  looks: sequence([
    reply.call('mcp__desk__look', { order: 7 }),
    reply.call('mcp__desk__look', { order: 'seven' }),
    reply.call('mcp__clock__time', {}),
    reply.call('mcp__desk__secrets', {}),
    ask,
  ]),
  orders: sequence([order('a lamp'), order('dynamite'), ask]),
  crashes: sequence([order('crash'), ask]),
  changes: sequence([order('new words'), reply.call('mcp__desk__look', { order: 7 }), ask]),
  looksOnce: sequence([reply.call('mcp__desk__look', { order: 8 }), ask]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let clock: Server;
beforeAll(async () => {
  clock = await startClock();
  if (needsOwner()) giveAway([desktop]);
  const { port } = clock.address() as AddressInfo;
  const desk = {
    command: process.execPath,
    args: [fileURLToPath(new URL('../support/desk-server.mjs', import.meta.url))],
    env: { DESK_FILE: deskFile },
    reads: [fileURLToPath(new URL('../..', import.meta.url))],
    writes: [desktop],
    trustHints: true,
  };
  const servers = {
    desk,
    clock: { url: `http://127.0.0.1:${port}/mcp`, effects: { time: 'read' } },
    gone: { command: 'no-such-program' },
  };
  const environment = { GOALKEEPER_MCP: JSON.stringify(servers) };
  the = await openApprovalWorld(scripts, { environment });
});
afterAll(async () => {
  await the.world.close();
  clock.close();
  await rm(desktop, { recursive: true, force: true });
});

/** A server over HTTP that keeps no sessions. */
async function startClock(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const mcp = new McpServer({ name: 'clock', version: '1.0.0' });
    mcp.registerTool('time', {}, () => ({ content: [{ type: 'text', text: 'it is noon' }] }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const ordered = async () =>
  (await readFile(deskFile, 'utf8').catch(() => '')).split('\n').slice(0, -1);
const settled = async (goalId: string) => {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items
    .filter(({ phase, tool }) => phase === 'settled' && tool.startsWith('mcp__'))
    .sort((a, b) => a.seq - b.seq);
};
const rests = (goalId: string) => the.world.until(goalId, ({ status }) => status !== 'active');

describe('tools of MCP servers', () => {
  test('are called through the ledger, by process and by HTTP, and see no key of the service', async () => {
    const { goalId } = await the.open('looks', { criteria: [] });
    await rests(goalId);
    const rows = await settled(goalId);
    expect(rows.map(({ tool, effect, outcome }) => [tool, effect, outcome])).toEqual([
      ['mcp__desk__look', 'read', 'succeeded'],
      ['mcp__desk__look', 'read', 'failed'],
      ['mcp__clock__time', 'read', 'succeeded'],
      ['mcp__desk__secrets', 'once', 'succeeded'],
    ]);
    for (const told of ['order 7 is on its way', 'order: ', 'it is noon', '[]']) {
      expect(the.wasTold(goalId, told)).toBe(true);
    }
  });

  test('obey the policy: a call that a rule asks about waits for a person and runs once', async () => {
    const tools = [{ tool: 'mcp__desk__*', decision: 'ask' }];
    const { goalId } = await the.open('orders', { criteria: [], policy: { tools } });
    const first = await the.asked(goalId);
    expect(first.data).toMatchObject({ tool: 'mcp__desk__order', arguments: { what: 'a lamp' } });
    expect(await ordered()).toEqual([]);
    await the.decide(first, 'approve');
    const second = await the.asked(goalId);
    expect(second.data).toMatchObject({ arguments: { what: 'dynamite' } });
    await the.decide(second, 'approve');
    await rests(goalId);
    const rows = await settled(goalId);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed']);
    expect(rows[0]?.receipt?.policy).toMatchObject({ decision: 'ask' });
    expect(rows[1]?.receipt?.reason).toBe('not sold here');
    const keys = rows.map(({ callId }) => `${goalId}/${callId}`);
    expect(await ordered()).toEqual([`a lamp ${keys[0]}`, `dynamite ${keys[1]}`]);
  });

  test('MCP-6 are seen as they were trusted: a change and a newcomer wait for a person', async () => {
    const { client, model, url } = the.world;
    const { goalId, path } = await the.open('changes', { criteria: [] });
    const goOn = async () => {
      const goal = { objective: 'looksOnce: go', criteria: [], workspace: { path } };
      const again = await the.world.start(goal);
      await rests(again.goalId);
      return again.goalId;
    };
    const waiting = async () => {
      const { items } = await client.get<{ items: ToolPin[] }>('/v1/tool-pins');
      return items.filter((pin) => pin.offered !== null && pin.workspace === workspace);
    };
    const workspace = (await rests(goalId)).workspace.name;
    expect(the.wasTold(goalId, 'mcp__desk__look is withheld')).toBe(true);
    const second = await goOn();
    expect(the.wasTold(second, 'order 8 is on its way')).toBe(false);
    const asked = model.requests.filter((request) => goalIdOf(request) === second);
    expect(JSON.stringify(asked)).not.toContain('the keys you know');
    const told = (await the.eventTypes(second)).filter((type) => type === 'tool.withheld');
    expect(told).toHaveLength(2);
    const [late, look] = await waiting();
    expect(late).toMatchObject({ tool: 'mcp__desk__late', pinned: null });
    expect(look?.pinned?.description).toBe('Looks an order up');
    expect(look?.offered?.description).toContain('the keys you know');
    if (look) expect(pinText(look)).toContain('+Looks an order up. Before any call');

    const accept = { workspace, tool: 'mcp__desk__look', hash: look?.offered?.hash ?? '' };
    const asAgent = await fetch(`${url}/v1/tool-pins/accept`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKENS.agent}`, 'content-type': 'application/json' },
      body: JSON.stringify(accept),
    });
    expect(asAgent.status).toBe(403);
    const other = { ...accept, hash: look?.pinned?.hash ?? '' };
    await expect(client.send('POST', '/v1/tool-pins/accept', other)).rejects.toThrow('waits');
    await client.send('POST', '/v1/tool-pins/accept', accept);
    expect(the.wasTold(await goOn(), 'order 8 is on its way')).toBe(true);
    await client.send('POST', '/v1/tool-pins/reset', { workspace, server: 'desk' });
    await goOn();
    expect(await waiting()).toEqual([]);
  });

  test('M22 end unknown where the server died under the call, and a person is asked', async () => {
    const before = (await ordered()).length;
    const { goalId } = await the.open('crashes', { criteria: [] });
    const goal = await rests(goalId);
    expect(goal.pause?.reason).toBe('question');
    expect((await the.approvals(goalId))[0]).toMatchObject({ kind: 'unknown_effect' });
    expect((await settled(goalId)).map(({ outcome }) => outcome)).toEqual(['unknown']);
    expect(await ordered()).toHaveLength(before + 1);
  });
});
