import {
  type Tool as ListedTool,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Effect } from '../../schema/ledger.ts';
import type { OfferedTool } from '../contract/tool-pins.ts';
import { sha256Of } from '../store/json.ts';
import { cutText } from '../tools/output.ts';
import { tellMisfits } from '../tools/registry.ts';
import { ALL_MODES, failed, succeeded } from '../tools/results.ts';
import type { CheckedInput, Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import type { ArgumentChecker } from './argument-checker.ts';
import { chosenTools } from './chosen-tools.ts';
import type { McpLink } from './link.ts';
import { readResult } from './result-images.ts';
import { schemaFault } from './schema-limits.ts';

const DEFAULT_SECONDS = 120;
/** The limit for one server, because every request of every goal carries its tools. */
const MOST_TOOLS = 64;
const MOST_CHARACTERS = 100_000;
const MOST_SCHEMA_CHARACTERS = 20_000;
const MOST_DESCRIPTION = 2000;
const LONGEST_NAME = 64;

/** The tools of a server as the ledger, the policy and the crash rules know tools. */
export function hostTools(link: McpLink, checker: ArgumentChecker): Tool[] {
  const chosen = chosenTools(link.settings, link.listed()).filter(
    ({ inputSchema }) => schemaFault(inputSchema) === null,
  );
  const tools = new Map<string, Tool>();
  let room = MOST_CHARACTERS;
  for (const listed of chosen) {
    const name = nameOf(link.name, listed.name);
    const size = sizeOf(listed);
    if (tools.has(name) || size > MOST_SCHEMA_CHARACTERS || size > room) continue;
    if (tools.size === MOST_TOOLS) break;
    room -= size;
    tools.set(name, asTool(link, checker, listed, name));
  }
  return [...tools.values()];
}

/** The tool's characters in every request; a tool that can't be serialised is too large. */
function sizeOf({ inputSchema, description = '' }: ListedTool): number {
  try {
    return JSON.stringify(inputSchema).length + Math.min(description.length, MOST_DESCRIPTION);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** `mcp__SERVER__TOOL`, in characters that every provider accepts. */
export function nameOf(server: string, tool: string): string {
  return `mcp__${server}__${tool.replace(/[^\w-]/g, '_')}`.slice(0, LONGEST_NAME);
}

function asTool(link: McpLink, checker: ArgumentChecker, listed: ListedTool, name: string): Tool {
  const effect = effectOf(link, listed);
  return {
    name,
    description: wordsOf(listed).slice(0, MOST_DESCRIPTION),
    effect,
    modes: effect === 'read' ? ALL_MODES : ['agent'],
    schema: ANY_ARGUMENTS,
    check: (input) => checked(link.name, checker, listed, input),
    parameters: listed.inputSchema,
    offer: {
      server: link.name,
      tool: name,
      isNamed: link.settings.tools !== undefined,
      definition: definitionOf(listed),
    },
    run: (args, context) => run(link, listed.name, args, context),
  };
}

const wordsOf = ({ description, title }: ListedTool): string => description ?? title ?? '';

/** All that the server says which a goal is told, or which decides how a call is treated. */
function definitionOf(listed: ListedTool): OfferedTool['definition'] {
  const { name, inputSchema, annotations } = listed;
  const readOnly = annotations?.readOnlyHint === true;
  const hash = sha256Of([name, wordsOf(listed), inputSchema, readOnly]);
  return { hash, description: wordsOf(listed).slice(0, MOST_DESCRIPTION), readOnly, inputSchema };
}

/** Hints come from the server itself, so they count only if the settings trust the server. */
function effectOf({ settings }: McpLink, { name, annotations }: ListedTool): Effect {
  const isRead = settings.trustHints === true && annotations?.readOnlyHint === true;
  const { effects = {} } = settings;
  const told = Object.hasOwn(effects, name) ? effects[name] : undefined;
  return told ?? (isRead ? 'read' : 'once');
}

const ANY_ARGUMENTS = z.record(z.string(), z.unknown());

async function checked(
  server: string,
  checker: ArgumentChecker,
  { name, inputSchema }: ListedTool,
  input: unknown,
): Promise<CheckedInput> {
  const answer = await checker.check(inputSchema, input);
  if (answer.ok) return answer;
  if ('issues' in answer) return { ok: false, why: tellMisfits(answer) };
  const why = `the schema of ${name} from the MCP server ${server} takes too long to check (${answer.overrun})`;
  return { ok: false, why };
}

/** Errors after which the connection is as it was, or ended by itself. */
const NOT_LOST: readonly string[] = [SdkErrorCode.ConnectionClosed, SdkErrorCode.RequestTimeout];

async function run(
  { name: server, client, settings, whyRefused, lost, fault }: McpLink,
  tool: string,
  args: unknown,
  { signal, idempotencyKey }: ToolContext,
): Promise<ToolResult> {
  const connected = client();
  if (connected === null) return failed(`the MCP server ${server} is away; nothing was sent`);
  const refused = await whyRefused();
  if (refused !== null) {
    lost();
    return failed(`the MCP server ${server} may not run: ${refused}; nothing was sent`);
  }
  const timeout = (settings.timeoutSeconds ?? DEFAULT_SECONDS) * 1000;
  const _meta = { 'goalkeeper/idempotencyKey': idempotencyKey };
  try {
    const asked = { name: tool, arguments: args as Record<string, unknown>, _meta };
    const result = await connected.callTool(asked, { signal, timeout });
    const { text: whole, images } = readResult(tool, result);
    const text = cutText(whole, 'ask for less');
    const ended = result.isError === true ? failed(text) : succeeded(text);
    return images.length === 0 ? ended : { ...ended, images };
  } catch (error) {
    if (error instanceof ProtocolError) return failed(error.message);
    const isLost = !(error instanceof SdkError && NOT_LOST.includes(error.code));
    if (isLost && !signal.aborted) lost();
    if (neverArrived(error)) return failed(`the MCP server ${server} is away; nothing was run`);
    const given = fault();
    throw given === null ? error : new Error(`the MCP server ${server} gave ${given.message}`);
  }
}

/** The call never ran: the connection was refused, or the server doesn't know the session. */
function neverArrived(error: unknown): boolean {
  if (error instanceof SdkHttpError) return [401, 403, 404].includes(error.status ?? 0);
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND';
}
