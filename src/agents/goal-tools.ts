import type { Socket } from 'node:net';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ToolDeclaration } from '../contract/model.ts';
import { productVersion } from '../version.ts';

export interface GoalTools {
  readonly declarations: readonly ToolDeclaration[];
  /** @param input raw JSON */
  call(name: string, input: string): Promise<{ readonly text: string; readonly isError: boolean }>;
}

const MOST_INPUT = 1024 * 1024;

/** Speaks the Model Context Protocol on a connection of the agent's. */
export function serveGoalTools(socket: Socket, tools: GoalTools): void {
  serveStdio(() => serverOf(tools), { transport: new StdioServerTransport(socket, socket) });
}

function serverOf(tools: GoalTools): Server {
  const server = new Server(
    { name: 'goalkeeper', version: productVersion() },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.declarations.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const input = JSON.stringify(params.arguments ?? {});
    const { text, isError } =
      input.length > MOST_INPUT
        ? { text: 'The arguments are too long. Nothing was run.', isError: true }
        : await tools.call(params.name, input);
    return { content: [{ type: 'text', text }], isError };
  });
  return server;
}
