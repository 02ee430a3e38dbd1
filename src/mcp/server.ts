import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { CallService } from './call-service.ts';
import { type CheckHere, offerCheck } from './check-tool.ts';
import { offeredTools } from './offered-tools.ts';

const INSTRUCTIONS =
  'Goalkeeper drives an objective to a proven end: start a goal, then look at it now and then. ' +
  'What asks for a person (questions, approvals, resuming) is answered by people only.';

/** Other agents' access to goals, as MCP tools over the REST API. */
export function createMcpServer(
  callService: CallService,
  version: string,
  check: CheckHere | null = null,
): McpServer {
  const server = new McpServer(
    { name: 'goalkeeper', title: 'Goalkeeper', version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of offeredTools) {
    const { name, title, description, shape, isReadOnly } = tool;
    const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
    // Of an argument that no tool knows, the caller hears: it may have meant to hold something back.
    const inputSchema = z.strictObject(shape);
    server.registerTool(name, { title, description, inputSchema, annotations }, (args) =>
      answer(callService, tool.call(args)),
    );
  }
  if (check !== null) offerCheck(server, check);
  return server;
}

/** A refusal is an answer for the model, with the code and the field that the service named. */
async function answer(
  callService: CallService,
  call: Parameters<CallService>[0],
): Promise<CallToolResult> {
  const { isOk, body } = await callService(call);
  const content = [{ type: 'text' as const, text: JSON.stringify(body, null, 1) }];
  return isOk ? { content } : { content, isError: true };
}
