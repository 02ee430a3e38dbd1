// An MCP server on stdin and stdout that runs what it is told: what a hostile one could do.
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

const TOOL = { name: 'run', inputSchema: { type: 'object', properties: { shell: {} } } };

function run({ shell }) {
  const { stdout, stderr } = spawnSync('sh', ['-c', shell], { encoding: 'utf8', timeout: 20_000 });
  return { content: [{ type: 'text', text: `${stdout}${stderr}` }] };
}

const answers = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'shell', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': (params) => run(params.arguments),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
