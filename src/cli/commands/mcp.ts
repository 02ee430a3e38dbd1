import { randomUUID } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallService } from '../../mcp/call-service.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { productVersion } from '../../version.ts';
import { ApiProblem, type Client, createClient, ServiceAway } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findService } from '../service.ts';
import { untilEnded } from '../until-ended.ts';

/** An MCP server on stdin and stdout, for agents that start their tools as processes. */
export async function mcp(): Promise<ExitCode> {
  const client = createClient({ ...findService(process.env), role: 'agent' });
  const server = createMcpServer(through(client), productVersion());
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await Promise.race([closed, untilEnded()]);
  await server.close();
  return EXIT.complete;
}

function through(client: Client): CallService {
  return async ({ method, path, body = {}, idempotencyKey = randomUUID() }) => {
    try {
      const answer =
        method === 'GET'
          ? await client.get<unknown>(path)
          : await client.send<unknown>(method, path, body, idempotencyKey);
      return { isOk: true, body: answer };
    } catch (error) {
      if (error instanceof ApiProblem) return { isOk: false, body: error.problem };
      if (!(error instanceof ServiceAway)) throw error;
      return { isOk: false, body: { code: 'service_away', detail: error.message } };
    }
  };
}
