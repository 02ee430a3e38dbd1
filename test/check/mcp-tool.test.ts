import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, test } from 'vitest';
import type { CheckHere } from '../../src/mcp/check-tool.ts';
import { createMcpServer } from '../../src/mcp/server.ts';

const found = {
  ...{ status: 'held', exitCode: 1, summary: 'Nothing is proven.', wayOut: null },
  ...{ repository: '/r', head: null, terms: null, accepted: [], beyondScope: [], notices: [] },
  base: { commit: 'a'.repeat(40), why: 'where main was left' },
  scope: { change: [], keep: [], setBy: 'host', base: null, why: [] },
  ...{ criteria: [], questions: [], isolation: null, proof: null, bundle: null },
  ...{ runs: 0, durationMs: 1 },
} as Awaited<ReturnType<CheckHere>>;

async function connect(check: CheckHere | null) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(
    async () => ({ isOk: true, body: {} }),
    '1',
    check === null ? {} : { check },
  );
  await server.connect(far);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(near);
  return client;
}

test('CHK-14 an agent may ask for a check, and has no argument that lets more pass', async () => {
  const client = await connect(async ({ repository }) =>
    repository === undefined ? found : { problem: 'no work tree of git', wayOut: 'Name one.' },
  );
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === 'check') ?? {};
  const names = Object.keys(inputSchema?.properties ?? {});
  expect(names).toEqual(['repository', 'base', 'head', 'criteria']);
  const answer = await client.callTool({ name: 'check', arguments: {} });
  expect(answer.structuredContent).toMatchObject({ status: 'held', exitCode: 1 });
  const widened = { name: 'check', arguments: { accept: ['**'] } };
  expect((await client.callTool(widened)).isError).toBe(true);
  const away = { name: 'check', arguments: { repository: '/nowhere' } };
  expect((await client.callTool(away)).isError).toBe(true);
  await client.close();
});

test('CHK-14 over HTTP there is none: the repository lies on the machine of the one who asks', async () => {
  const client = await connect(null);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('check');
  await client.close();
});
