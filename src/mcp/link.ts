import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { productVersion } from '../api/version.ts';
import { type McpServerSettings, withVariables } from './settings.ts';

const CONNECT_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_PAGES = 20;

/** One configured server: connected, or on the way there for as long as the worker runs. */
export interface McpLink {
  readonly name: string;
  readonly settings: McpServerSettings;
  /** What it offered last; kept while it is away, so that requests stay the same. */
  readonly listed: () => readonly ListedTool[];
  /** Null while it is away. */
  readonly client: () => Client | null;
  /** It doesn't answer any more: begin anew. */
  lost(): void;
  close(): Promise<void>;
}

/** Resolves when the server is there, or was given up on for now. */
export async function openLink(
  name: string,
  settings: McpServerSettings,
  options: { readonly log: Logger; readonly onListed: () => void },
): Promise<McpLink> {
  const { log, onListed } = options;
  const closing = new AbortController();
  let listed: readonly ListedTool[] = [];
  let client: Client | null = null;
  let pause = FIRST_PAUSE_MS;

  async function connect(): Promise<void> {
    const fresh = new Client({ name: 'goalkeeper', version: productVersion() });
    const list = async () => {
      listed = await listAll(fresh);
      onListed();
    };
    fresh.setNotificationHandler(ToolListChangedNotificationSchema, async () =>
      list().catch((error) => log.warn({ error, server: name }, 'its tools cannot be listed')),
    );
    try {
      const there = fresh.connect(transportOf(name, settings), { timeout: CONNECT_MS }).then(list);
      await within(CONNECT_MS, there);
      closing.signal.throwIfAborted();
    } catch (error) {
      await fresh.close().catch(() => {});
      throw error;
    }
    const since = Date.now();
    fresh.onclose = () => {
      client = null;
      if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      if (!closing.signal.aborted) void keepTrying();
    };
    client = fresh;
    log.info({ server: name, tools: listed.length }, 'MCP server connected');
  }

  async function keepTrying(): Promise<void> {
    do {
      await delay(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      // Also of one that comes and goes at once, until it has stayed for a while.
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    } while (!closing.signal.aborted && !(await tryOnce()));
  }

  async function tryOnce(): Promise<boolean> {
    try {
      await connect();
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ server: name, reason }, 'MCP server is away; its tools fail until it is back');
      return false;
    }
  }

  if (!(await tryOnce())) void keepTrying();
  return {
    name,
    settings,
    listed: () => listed,
    client: () => client,
    // A connection over HTTP doesn't notice by itself that its server is another one by now.
    lost: () => void client?.close().catch(() => {}),
    async close() {
      closing.abort();
      await client?.close().catch(() => {});
    },
  };
}

/** Whatever a server holds back: no worker waits for it. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = delay(milliseconds, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`it was not ready within ${milliseconds} ms`)),
    () => {},
  );
  await Promise.race([work, late.then(() => work)]).finally(() => over.abort());
}

async function listAll(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
  }
  return tools;
}

/** A process gets a bare environment with what its settings name: no key of the service. */
function transportOf(name: string, settings: McpServerSettings): Transport {
  if ('url' in settings) {
    const headers = withVariables(name, settings.headers);
    const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
      requestInit: { headers },
    });
    return transport as Transport;
  }
  const { command, args = [], cwd } = settings;
  const env = { ...getDefaultEnvironment(), ...withVariables(name, settings.env) };
  const place = cwd === undefined ? {} : { cwd };
  return new StdioClientTransport({ command, args, env, stderr: 'ignore', ...place });
}
