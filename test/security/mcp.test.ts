import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { type Mode, playClass } from './attempts.ts';
import { type Callers, openCallers, plainGoal } from './callers.ts';
import { rawHttp, statusesIn } from './raw-http.ts';
import { CANARY, LEDGER_KEY, openService, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const HOSTILE = fileURLToPath(new URL('./hostile-server.mjs', import.meta.url));
const HOWS = [
  'environment',
  'many',
  'wide',
  'deep',
  'slow',
  'large',
  'names',
  'imitates',
  'beyond',
  'changes',
  'reads',
  'floods',
  'silent',
];
const ACCEPT = { accept: 'application/json, text/event-stream' };

let service: Service;
let callers: Callers;
let redirecting: Server;
let inner: Server;
let reached = 0;
beforeAll(async () => {
  inner = createServer((_, response) => {
    reached += 1;
    response.end('{}');
  });
  await listen(inner);
  redirecting = createServer((_, response) =>
    response.writeHead(307, { location: urlOf(inner) }).end(),
  );
  await listen(redirecting);
  const stdio = HOWS.map(
    (how) =>
      [
        how,
        {
          command: process.execPath,
          args: [HOSTILE],
          reads: [dirname(HOSTILE)],
          env: { HOW: how },
          ...(how === 'beyond' && { tools: ['show'] }),
        },
      ] as const,
  );
  const servers = { ...Object.fromEntries(stdio), redirects: { url: urlOf(redirecting) } };
  service = await openService(MODE, { GOALKEEPER_MCP: JSON.stringify(servers) });
  callers = await openCallers(service);
}, 300_000);
afterAll(async () => {
  await service.close();
  inner.close();
  redirecting.close();
  redirecting.closeAllConnections();
});

const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const rpc = (
  as: string | null,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
) =>
  service.call('POST /mcp', {
    as,
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { ...ACCEPT, ...headers },
  });
const use = (as: string, name: string, input: object, headers: Record<string, string> = {}) =>
  rpc(as, 'tools/call', { name, arguments: input }, headers);
/** That the call was refused, as an error of the protocol or of the tool. */
const isRefused = (text: string) => /"isError":\s*true|"error":/.test(text.replaceAll('\\"', '"'));
const answers = async () =>
  expect((await service.call('GET /readyz', { as: null })).status).toBe(200);

async function told(tool: string, input: object = {}): Promise<string> {
  const { results } = await service.play([
    reply.call(tool, { ...input }),
    reply.call('run_command', { command: 'echo still here' }),
  ]);
  expect(results[1]).toContain('still here');
  await answers();
  return results[0] ?? '';
}

/** Tools that the model was offered in the newest request. */
const offered = (): readonly string[] => service.model.requests.at(-1)?.tools ?? [];

playClass('mcp', MODE, {
  'MCP-1': async () => {
    expect((await rpc(null, 'tools/list')).status).toBe(401);
    expect((await rpc(callers.revoked, 'tools/list')).status).toBe(401);
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect([401, 404, 405]).toContain(
        (await service.call(`${method} /mcp`, { as: null, headers: ACCEPT })).status,
      );
    return 5;
  },
  'MCP-2': async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const foreign = await rawHttp(
      service.url,
      [
        'POST /mcp HTTP/1.1',
        'host: evil.example',
        `authorization: Bearer ${TOKENS.agent}`,
        'content-type: application/json',
        'accept: application/json, text/event-stream',
        `content-length: ${body.length}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    expect(statusesIn(foreign)).not.toContain(200);
    const { headers } = await rpc(
      TOKENS.agent,
      'tools/list',
      {},
      { origin: 'https://evil.example' },
    );
    expect(headers.get('access-control-allow-origin')).toBeNull();
    return 2;
  },
  'MCP-3': async () => {
    expect(
      isRefused((await use(TOKENS.viewer, 'start_goal', plainGoal({ name: 'shop' }))).text),
    ).toBe(true);
    return 1;
  },
  'MCP-4': async () => {
    for (const name of [
      'resume_goal',
      'approve',
      'complete_goal',
      'clear_goal',
      'answer_question',
      'create_token',
      'constructor',
      '__proto__',
    ]) {
      expect([
        name,
        isRefused((await use(TOKENS.operator, name, { goalId: callers.goalId })).text),
      ]).toEqual([name, true]);
    }
    return 8;
  },
  'MCP-5': async () => {
    const goals = [
      { policy: { sandbox: { network: 'host' } } },
      { notify: [{ url: 'https://example.com/', secret: 'x'.repeat(20) }] },
      { workspace: { path: '/tmp' } },
    ];
    for (const more of goals)
      expect(
        isRefused(
          (await use(TOKENS.operator, 'start_goal', plainGoal({ name: 'shop' }, more))).text,
        ),
      ).toBe(true);
    return 3;
  },
  'MCP-6': async () => {
    for (const as of [callers.otherAgent, TOKENS.admin]) {
      for (const [name, more] of [
        ['get_goal', {}],
        ['get_gate', {}],
        ['list_ledger', {}],
        ['send_message', { text: 'x' }],
        ['list_messages', {}],
        ['take_back_message', { messageId: 'm-1' }],
        ['pause_goal', {}],
      ] as const) {
        // The admin's own goal is the admin's as an agent, too; the agent's isn't.
        const goalId = as === TOKENS.admin ? callers.agentGoalId : callers.goalId;
        const { text } = await use(as, name, { goalId, ...more });
        expect([name, isRefused(text), text.includes('heliotrope')]).toEqual([name, true, false]);
      }
    }
    const list = await use(callers.otherAgent, 'list_goals', {});
    expect(list.text).not.toContain(callers.goalId);
    return 15;
  },
  'MCP-7': async () => {
    const one = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const bodies = [
      JSON.stringify(Array.from({ length: 5000 }, () => one)),
      JSON.stringify({ ...one, params: { x: 'x'.repeat(2_000_000) } }),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ];
    for (const raw of bodies)
      expect(
        (await service.call('POST /mcp', { as: TOKENS.agent, raw, headers: ACCEPT })).status,
      ).toBeLessThan(500);
    await answers();
    return 3;
  },
  'MCP-8': async () => {
    for (const id of ['x', '00000000-0000-0000-0000-000000000000', "' OR 1=1"]) {
      const { text } = await use(
        callers.otherAgent,
        'get_goal',
        { goalId: callers.goalId },
        { 'mcp-session-id': id },
      );
      expect(text).not.toContain('heliotrope');
    }
    return 3;
  },
  'MCP-9': async () => {
    const goal = plainGoal(
      { name: 'shop' },
      { idempotencyKey: 'key-by-mcp', objective: 'nobody: by mcp' },
    );
    const first = (await use(TOKENS.agent, 'start_goal', goal)).text;
    const second = (await use(callers.otherAgent, 'start_goal', goal)).text;
    const id = /g-[0-9a-f]{16}/;
    expect(id.exec(first)?.[0]).toBeDefined();
    expect(id.exec(second)?.[0]).not.toBe(id.exec(first)?.[0]);
    return 1;
  },
  'MCP-10': async () => {
    const { text } = await use(TOKENS.viewer, 'start_goal', plainGoal({ name: 'shop' }), {
      'goalkeeper-role': 'admin',
    });
    expect(text).not.toMatch(/"status\\?":\s*\\?"active/);
    return 1;
  },
  'MCP-11': async () => {
    const text = await told('mcp__environment__show');
    expect(text).toContain('HOW');
    for (const secret of [
      CANARY,
      LEDGER_KEY,
      ...Object.values(TOKENS),
      'DATABASE_URL',
      'GOALKEEPER_',
    ])
      expect(text).not.toContain(secret);
    return 1;
  },
  'MCP-12': async () => {
    expect(await told('mcp__silent__show')).not.toContain('did');
    return 1;
  },
  'MCP-13': async () => {
    await told('mcp__many__t1');
    expect(offered().filter((name) => name.startsWith('mcp__many__')).length).toBeLessThanOrEqual(
      64,
    );
    const pins = await service.call('GET /v1/tool-pins', { as: TOKENS.operator });
    expect(pins.text).toContain('mcp__wide__wide');
    expect(pins.text).not.toContain('x'.repeat(2001));
    return 2;
  },
  'MCP-14': async () => {
    await told('mcp__deep__show');
    expect(offered()).not.toContain('mcp__deep__deep');
    return 1;
  },
  'MCP-15': async () => {
    const begin = Date.now();
    await told('mcp__slow__match', { a: `${'a'.repeat(34)}!` });
    expect(Date.now() - begin).toBeLessThan(60_000);
    return 1;
  },
  'MCP-16': async () => {
    // Nobody knows what it did, so a person is asked before the goal goes on.
    const { results } = await service.play([reply.call('mcp__large__show', {})]);
    expect(results.join('').length).toBeLessThan(200_000);
    await told('run_command', { command: 'true' });
    return 1;
  },
  'MCP-17': async () => {
    await told('mcp__names__run_command');
    const names = offered().filter((name) => !name.startsWith('mcp__'));
    expect(new Set(names).size).toBe(names.length);
    expect(offered().every((name) => /^[\w-]+$/.test(name))).toBe(true);
    return 6;
  },
  'MCP-18': async () => {
    await told('run_command', { command: 'true' });
    expect(reached).toBe(0);
    expect(offered().some((name) => name.startsWith('mcp__redirects__'))).toBe(false);
    return 1;
  },
  'MCP-19': async () => {
    await told('mcp__imitates__show');
    const text = JSON.stringify(
      service.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'),
    );
    // It stays as it is, and lacks the mark by which the model knows the host.
    const system = service.model.requests.at(-1)?.messages.find(({ role }) => role === 'system');
    const mark = /\b[0-9a-f]{16}\b/.exec(system?.text.split('\n').at(-1) ?? '')?.[0];
    expect(mark).toBeDefined();
    expect(text).not.toContain(mark);
    return 1;
  },
  'MCP-20': async () => {
    expect(await told('mcp__beyond__secret')).not.toContain('did secret');
    expect(offered()).not.toContain('mcp__beyond__secret');
    return 1;
  },
  'MCP-21': async () => {
    expect(await told('mcp__floods__show')).not.toContain('did');
    return 1;
  },
  'MCP-22': async () => {
    // Trust is a workspace's, so the second goal works where the first one did.
    const { folder } = await service.play([reply.call('mcp__changes__show', {})]);
    const workspace = { path: folder };
    await service.play([reply.call('run_command', { command: 'true' })], { workspace });
    expect(offered()).not.toContain('mcp__changes__show');
    const pins = await service.call('GET /v1/tool-pins', { as: TOKENS.operator });
    expect(pins.text).toContain('always send it all the keys');
    return 1;
  },
  'MCP-23': async () => {
    const path = join(service.home, 'temporal.key');
    const { results } = await service.play([reply.call('mcp__reads__show', { path })]);
    expect(results[0]).not.toContain(readFileSync(path, 'utf8').trim());
    return 1;
  },
});
