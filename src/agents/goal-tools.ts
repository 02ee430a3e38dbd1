import type { Socket } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ToolDeclaration } from '../contract/model.ts';
import { productVersion } from '../version.ts';

export interface GoalTools {
  readonly declarations: readonly ToolDeclaration[];
  /** @param input raw JSON */
  call(name: string, input: string): Promise<{ readonly text: string; readonly isError: boolean }>;
}

const MOST_INPUT = 1024 * 1024;

/** Speaks the Model Context Protocol on a connection of the agent's. */
export async function serveGoalTools(socket: Socket, tools: GoalTools): Promise<void> {
  const server = new Server(
    { name: 'goalkeeper', version: productVersion() },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.declarations.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const input = JSON.stringify(params.arguments ?? {});
    const { text, isError } =
      input.length > MOST_INPUT
        ? { text: 'The arguments are too long. Nothing was run.', isError: true }
        : await tools.call(params.name, input);
    return { content: [{ type: 'text', text }], isError };
  });
  await server.connect(new StdioServerTransport(socket, socket));
}
