import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  McpServer as NextServer,
} from '@modelcontextprotocol/server';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { McpServerSettings } from '../../schema/mcp-servers.ts';
import { mcpServersHere } from '../../src/cli/mcp-servers.ts';
import { createArgumentChecker } from '../../src/mcp/argument-checker.ts';
import { hostTools } from '../../src/mcp/host-tools.ts';
import { type McpLink, openLink } from '../../src/mcp/link.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { giveAway, needsOwner } from '../support/ordinary-owner.ts';
import { temporaryFolder } from '../tools/support.ts';

const home = await realpath(await mkdtemp(join(tmpdir(), 'goalkeeper-mcp-')));
afterAll(() => rm(home, { recursive: true, force: true }));
const checker = createArgumentChecker();
const { boxServer } = await openSandbox({ mode: 'auto', home, limits: commandLimits() });

async function open(settings: McpServerSettings, patienceMs?: number): Promise<McpLink> {
  const log = pino({ level: 'silent' });
  const patience = patienceMs === undefined ? {} : { patienceMs };
  const link = await openLink('clock', settings, {
    log,
    onListed: () => {},
    boxServer,
    ...patience,
  });
  onTestFinished(() => link.close());
  return link;
}

const context = {
  signal: new AbortController().signal,
  idempotencyKey: 'g-1/t1.s1.1',
} as ToolContext;

async function ask(link: McpLink) {
  const [tool] = hostTools(link, checker);
  if (tool === undefined) throw new Error('no tool was listed');
  return await tool.run({}, context, undefined);
}

async function startClock(port = 0): Promise<Server> {
  const server = createServer(async (request, response) => {
    const mcp = new McpServer({ name: 'clock', version: '1.0.0' });
    mcp.registerTool('time', {}, () => ({ content: [{ type: 'text', text: 'it is noon' }] }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return server;
}

test('a server over HTTP that went away is noticed at a call, and found again', async () => {
  const first = await startClock();
  const { port } = first.address() as AddressInfo;
  const link = await open({ url: `http://127.0.0.1:${port}/mcp` });
  expect(await ask(link)).toMatchObject({ outcome: 'succeeded', text: 'it is noon' });
  first.closeAllConnections();
  await new Promise((resolve) => first.close(resolve));
  // The first one may break under way, on the socket that was kept: nobody knows what it did.
  await ask(link).catch(() => null);
  expect(await ask(link)).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('is away'),
  });
  await startClock(port);
  await expect.poll(async () => (await ask(link)).outcome).toBe('succeeded');
});

/** Answers each message with what `reply` writes. */
async function startServer(
  reply: (asked: { id?: number; method: string }, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void json(request).then((asked) => reply(asked as Parameters<typeof reply>[0], response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const answer = (response: ServerResponse, id: number | undefined, result: unknown) =>
  id === undefined
    ? response.writeHead(202).end()
    : response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'clock', version: '1.0.0' },
};
const TIME = { name: 'time', inputSchema: { type: 'object' } };

test.each(['application/json', 'text/event-stream'])(
  'of an answer without an end (%s) only so much is read, and the call fails at once',
  async (type) => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    const pieces = function* () {
      for (; sent < 200; sent += 1) yield piece;
    };
    const pour = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': type });
      response.write(type === 'text/event-stream' ? 'data: ' : '"');
      await pipeline(Readable.from(pieces(), { highWaterMark: 1 }), response).catch(() => {});
    };
    const url = await startServer(({ id, method }, response) => {
      if (method === 'initialize') answer(response, id, HELLO);
      else if (method === 'tools/call') void pour(response);
      else answer(response, id, { tools: [TIME] });
    });
    const link = await open({ url });
    await expect(ask(link)).rejects.toThrow(
      'the MCP server clock gave an answer of more than 10 MB',
    );
    expect(sent).toBeLessThan(100);
    await expect.poll(async () => link.client() !== null).toBe(true);
  },
);

test('many events of a stream are no large answer', async () => {
  const url = await startServer(({ id, method }, response) => {
    if (method === 'initialize') return void answer(response, id, HELLO);
    if (method !== 'tools/call') return void answer(response, id, { tools: [TIME] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const note = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(4_000_000) },
    };
    for (let count = 0; count < 4; count += 1) {
      response.write(`data: ${JSON.stringify(note)}\r\n\r\n`);
    }
    const result = { content: [{ type: 'text', text: 'it is noon' }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  expect(await ask(await open({ url }))).toMatchObject({ text: 'it is noon' });
});

test('a server that hangs while it lists its tools holds nobody up, and doctor names it', async () => {
  const hanging = await startServer(({ id, method }, response) => {
    if (method === 'initialize') answer(response, id, HELLO);
    else if (method !== 'tools/list') answer(response, id, {});
  });
  const clock = await startClock();
  const url = `http://127.0.0.1:${(clock.address() as AddressInfo).port}/mcp`;
  const link = await open({ url: hanging }, 1000);
  expect(hostTools(link, checker)).toEqual([]);
  const GOALKEEPER_MCP = JSON.stringify({ slow: { url: hanging }, clock: { url } });
  expect(await mcpServersHere({ GOALKEEPER_MCP, GOALKEEPER_HOME: home }, 5000)).toEqual([
    {
      name: 'slow',
      problem: 'it did not list its tools within 5 s',
      tools: 0,
      reach: 'over HTTP',
    },
    { name: 'clock', problem: null, tools: 1, reach: 'over HTTP' },
  ]);
});

/** A folder that a server may write, which is its user's. */
async function writable(): Promise<string> {
  const folder = await realpath(await temporaryFolder());
  if (needsOwner()) giveAway([folder], [home]);
  return folder;
}

test('a server that lists no tools leaves no process behind', async () => {
  const folder = await writable();
  const server = `
    import { writeFileSync } from 'node:fs';
    import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
    import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
    writeFileSync(${JSON.stringify(join(folder, 'started'))}, '');
    const server = new McpServer({ name: 'prompts', version: '1.0.0' });
    server.registerPrompt('hello', {}, () => ({ messages: [] }));
    await server.connect(new StdioServerTransport());`;
  const args = ['--input-type=module', '-e', server];
  const settings = { command: process.execPath, args, cwd: process.cwd(), writes: [folder] };
  const link = await open(settings);
  expect(link.client()).toBeNull();
  expect(await readdir(folder)).toEqual(['started']);
  await expect.poll(() => processesOf(folder)).toEqual([]);
});

test('MCP-33 a process that speaks the newest revision alone is spoken to by it', async () => {
  const server = `
    import { McpServer } from '@modelcontextprotocol/server';
    import { serveStdio } from '@modelcontextprotocol/server/stdio';
    const make = () => {
      const server = new McpServer({ name: 'clock', version: '1.0.0' });
      server.registerTool('time', {}, () => ({ content: [{ type: 'text', text: 'it is noon' }] }));
      return server;
    };
    serveStdio(make, { legacy: 'reject' });`;
  const args = ['--input-type=module', '-e', server];
  const settings = { command: process.execPath, args, cwd: process.cwd() };
  // A busy machine takes seconds to start what speaks it.
  const link = await open({ ...settings, writes: [await writable()] }, 60_000);
  expect(link.client()?.getProtocolEra()).toBe('modern');
  expect(await ask(link)).toMatchObject({ outcome: 'succeeded', text: 'it is noon' });
});

test('MCP-33 a server over HTTP that speaks the newest revision alone is spoken to by it, and tells what it offers since', async () => {
  const offered = ['time'];
  const bus = new InMemoryServerEventBus();
  const make = () => {
    const server = new NextServer({ name: 'clock', version: '1.0.0' });
    for (const name of offered)
      server.registerTool(name, {}, () => ({ content: [{ type: 'text', text: 'it is noon' }] }));
    return server;
  };
  const handler = createMcpHandler(make, { legacy: 'reject', bus });
  const server = createServer(async (request, response) => {
    const body = Readable.toWeb(request) as ReadableStream<Uint8Array>;
    const sent = { method: 'POST', headers: request.headers as HeadersInit, body };
    const asked = new Request(`http://clock${request.url}`, { ...sent, duplex: 'half' } as object);
    const answered = await handler.fetch(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) return void response.end();
    await pipeline(Readable.fromWeb(answered.body as never), response).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const link = await open({ url: `http://127.0.0.1:${port}/mcp` });
  expect(link.client()?.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(await ask(link)).toMatchObject({ outcome: 'succeeded', text: 'it is noon' });
  offered.push('date');
  handler.notify.toolsChanged();
  await expect.poll(() => link.listed().map(({ name }) => name)).toEqual(['time', 'date']);
});

/** Numbers of the processes whose command names the text. */
async function processesOf(text: string): Promise<string[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    numbers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return numbers.filter((_, index) => commands[index]?.includes(text));
}
