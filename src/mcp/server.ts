import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallService, Place, ServiceAnswer } from './call-service.ts';
import { type CheckHere, offerCheck } from './check-tool.ts';
import { type ClientRoots, RootsUntold, rootsOf } from './client-roots.ts';
import { type OfferedTool, offeredTools } from './offered-tools.ts';
import { placed } from './placed.ts';
import { offerTasks, TASKS, takesTasks, taskOf } from './tasks.ts';
import { untilNews } from './until-news.ts';

const INSTRUCTIONS =
  'Goalkeeper drives an objective to a proven end: start a goal, then wait for it with get_goal. ' +
  'What asks for a person (questions, approvals, resuming) is answered by people only.';

/** What a server has that runs beside its client. */
export interface Beside {
  readonly check?: CheckHere;
  /** Where the client works. */
  readonly place?: (roots: ClientRoots) => Place;
}

/** Other agents' access to goals, as MCP tools over the REST API. */
export function createMcpServer(
  callService: CallService,
  version: string,
  { check, place }: Beside = {},
): McpServer {
  const server = new McpServer(
    { name: 'goalkeeper', title: 'Goalkeeper', version },
    // The tools of a version stay the same, so nobody needs to listen.
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, extensions: { [TASKS]: {} } },
    },
  );
  for (const tool of offeredTools) {
    const { name, title, description, shape, isReadOnly, answer: outputSchema } = tool;
    const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
    // Of an argument that no tool knows, the caller hears: it may have meant to hold something back.
    const inputSchema = z.strictObject(shape);
    const config = { title, description, inputSchema, outputSchema, annotations };
    server.registerTool(name, config, async (args, context) => {
      const here = place?.(rootsOf(server, context)) ?? null;
      const isTask = tool.isTask === true && takesTasks(context);
      const result = isTask ? asTask : toResult;
      return await orAsked(() => answer(callService, tool, args, here, context), result);
    });
  }
  offerTasks(server, callService, toResult);
  if (check !== undefined) offerCheck(server, check);
  return server;
}

async function answer(
  callService: CallService,
  tool: OfferedTool,
  args: Parameters<OfferedTool['call']>[0],
  here: Place | null,
  { mcpReq: { signal } }: ServerContext,
): Promise<ServiceAnswer> {
  const given = here === null || !('workspace' in tool.shape) ? args : await placed(here, args);
  if ('isOk' in given) return given as ServiceAnswer;
  const ask = () => callService(tool.call(given));
  const patience = tool.waits?.(given);
  return patience === undefined ? await ask() : await untilNews(ask, patience, signal);
}

async function orAsked(
  work: () => Promise<ServiceAnswer>,
  result: (answer: ServiceAnswer) => CallToolResult,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return result(await work());
  } catch (error) {
    if (error instanceof RootsUntold) return error.ask;
    throw error;
  }
}

/** A refusal is an answer for the model, with the code and the field that the service named. */
function toResult({ isOk, body }: ServiceAnswer): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(body, null, 1) }];
  if (!isOk) return { content, isError: true };
  return { content, structuredContent: body as Record<string, unknown> };
}

/** The handle of a task, which is also what a client without tasks is told. */
function asTask(answer: ServiceAnswer): CallToolResult {
  const result = toResult(answer);
  if (!answer.isOk) return result;
  return { ...result, resultType: 'task', ...taskOf(answer.body as Parameters<typeof taskOf>[0]) };
}
