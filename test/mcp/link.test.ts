import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { hostTools } from '../../src/mcp/host-tools.ts';
import { type McpLink, openLink } from '../../src/mcp/link.ts';
import type { McpServerSettings } from '../../src/mcp/settings.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { isAlive, temporaryFolder } from '../tools/support.ts';

async function open(settings: McpServerSettings): Promise<McpLink> {
  const log = pino({ level: 'silent' });
  const link = await openLink('clock', settings, { log, onListed: () => {} });
  onTestFinished(() => link.close());
  return link;
}

const context = {
  signal: new AbortController().signal,
  idempotencyKey: 'g-1/t1.s1.1',
} as ToolContext;

async function ask(link: McpLink) {
  const [tool] = hostTools(link);
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
  await expect.poll(async () => (await ask(link)).outcome, { timeout: 15_000 }).toBe('succeeded');
});

test('a server that lists no tools leaves no process behind', async () => {
  const file = join(await temporaryFolder(), 'pids');
  const server = `
    import { appendFileSync } from 'node:fs';
    import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
    import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
    appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');
    const server = new McpServer({ name: 'prompts', version: '1.0.0' });
    server.registerPrompt('hello', {}, () => ({ messages: [] }));
    await server.connect(new StdioServerTransport());`;
  const args = ['--input-type=module', '-e', server];
  const link = await open({ command: process.execPath, args, cwd: process.cwd() });
  expect(link.client()).toBeNull();
  const pids = (await readFile(file, 'utf8')).trim().split('\n').map(Number);
  expect(pids).toHaveLength(1);
  await expect.poll(() => pids.some(isAlive), { timeout: 10_000 }).toBe(false);
});
