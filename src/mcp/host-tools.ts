import type {
  CallToolResult,
  ContentBlock,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Effect } from '../../schema/ledger.ts';
import { cutText } from '../tools/output.ts';
import { ALL_MODES, failed, succeeded } from '../tools/results.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import type { McpLink } from './link.ts';

const DEFAULT_SECONDS = 120;
const MOST_SCHEMA_CHARACTERS = 20_000;
const MOST_DESCRIPTION = 2000;
const LONGEST_NAME = 64;

/** The tools of a server as the ledger, the policy and the crash rules know tools. */
export function hostTools(link: McpLink): Tool[] {
  const { tools: wanted } = link.settings;
  const chosen = link.listed().filter(({ name }) => wanted === undefined || wanted.includes(name));
  const named = chosen.map((listed) => ({ listed, name: nameOf(link.name, listed.name) }));
  return named
    .filter(({ name, listed }, index) => {
      const isFirst = named.findIndex((other) => other.name === name) === index;
      return isFirst && JSON.stringify(listed.inputSchema).length <= MOST_SCHEMA_CHARACTERS;
    })
    .map(({ listed, name }) => asTool(link, listed, name));
}

/** `mcp__SERVER__TOOL`, of what every provider takes. */
export function nameOf(server: string, tool: string): string {
  return `mcp__${server}__${tool.replace(/[^\w-]/g, '_')}`.slice(0, LONGEST_NAME);
}

function asTool(link: McpLink, listed: ListedTool, name: string): Tool {
  const effect = effectOf(link, listed);
  return {
    name,
    description: (listed.description ?? listed.title ?? '').slice(0, MOST_DESCRIPTION),
    effect,
    modes: effect === 'read' ? ALL_MODES : ['agent'],
    schema: schemaOf(listed),
    parameters: listed.inputSchema,
    run: (args, context) => run(link, listed.name, args, context),
  };
}

/** Hints come from the server itself: they count only where the settings say that it is trusted. */
function effectOf({ settings }: McpLink, { name, annotations }: ListedTool): Effect {
  const isRead = settings.trustHints === true && annotations?.readOnlyHint === true;
  return settings.effects?.[name] ?? (isRead ? 'read' : 'once');
}

/** What can't be read here is left to the server, which judges arguments anyway. */
function schemaOf({ inputSchema }: ListedTool): z.ZodType {
  try {
    return z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}

/** Of these the server says that it did nothing, or what went wrong; all others end unseen. */
const UNSEEN: readonly number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];

async function run(
  { name: server, client, settings }: McpLink,
  tool: string,
  args: unknown,
  { signal, idempotencyKey }: ToolContext,
): Promise<ToolResult> {
  const connected = client();
  if (connected === null) return failed(`the MCP server ${server} is away; nothing was sent`);
  const timeout = (settings.timeoutSeconds ?? DEFAULT_SECONDS) * 1000;
  const _meta = { 'goalkeeper/idempotencyKey': idempotencyKey };
  try {
    const asked = { name: tool, arguments: args as Record<string, unknown>, _meta };
    const answer = await connected.callTool(asked, undefined, { signal, timeout });
    const result = answer as CallToolResult;
    const text = cutText(textOf(result), 'ask for less');
    return result.isError === true ? failed(text) : succeeded(text);
  } catch (error) {
    if (!(error instanceof McpError) || UNSEEN.includes(error.code)) throw error;
    return failed(error.message);
  }
}

function textOf({ content = [], structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join('\n');
  return text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${block.data.length} characters of base64, not shown]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}, not shown]`;
  }
}
