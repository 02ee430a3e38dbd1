import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Tool as ListedTool } from '@modelcontextprotocol/client';
import type { Logger } from 'pino';
import type { McpServerSettings } from '../../schema/mcp-servers.ts';
import { refusedTools } from './chosen-tools.ts';
import { type BoxServer, connectTo, listAll } from './connect.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** One configured server: connected, or on the way there for as long as the worker runs. */
export interface McpLink {
  readonly name: string;
  readonly settings: McpServerSettings;
  /** The last offered tools; kept while the server is away, so that requests stay the same. */
  readonly listed: () => readonly ListedTool[];
  /** Null while it is away. */
  readonly client: () => Client | null;
  /** Why it may serve no call any more, although it is there; null = it may. */
  readonly whyRefused: () => Promise<string | null>;
  /** Why the last connection was given up, where this side did so. */
  readonly fault: () => Error | null;
  /** Reconnects to a server that doesn't answer any more. */
  lost(): void;
  close(): Promise<void>;
}

/** Resolves when the server is there, or was given up on for now. */
export async function openLink(
  name: string,
  settings: McpServerSettings,
  options: {
    readonly log: Logger;
    readonly onListed: () => void;
    readonly boxServer: BoxServer;
    /** For a connection with a list of tools. */
    readonly patienceMs?: number;
  },
): Promise<McpLink> {
  const { log, onListed } = options;
  const closing = new AbortController();
  let listed: readonly ListedTool[] = [];
  let client: Client | null = null;
  let fault: () => Error | null = () => null;
  let whyRefused: McpLink['whyRefused'] = async () => null;
  let pause = FIRST_PAUSE_MS;

  async function connect(): Promise<void> {
    let look = () => {};
    const connected = await connectTo(name, settings, options.boxServer, {
      milliseconds: options.patienceMs,
      onChanged: () => look(),
    });
    const fresh = connected.client;
    if (closing.signal.aborted) return await fresh.close().catch(() => {});
    ({ fault, whyRefused } = connected);
    const show = (tools: readonly ListedTool[]) => {
      listed = tools;
      for (const fault of refusedTools(settings, tools)) {
        log.warn({ server: name, ...fault }, 'a tool of an MCP server is not offered');
      }
      onListed();
    };
    show(connected.listed);
    look = () =>
      void listAll(fresh).then(show, (error) =>
        log.warn({ error, server: name }, 'its tools cannot be listed'),
      );
    const since = Date.now();
    fresh.onclose = () => {
      client = null;
      if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      if (!closing.signal.aborted) void keepTrying();
    };
    client = fresh;
    const { isolation } = connected;
    log.info({ server: name, tools: listed.length, isolation }, 'MCP server connected');
  }

  async function keepTrying(): Promise<void> {
    do {
      await delay(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      // The pause also grows for a server that drops each connection at once.
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
    whyRefused: () => whyRefused(),
    fault: () => fault(),
    // A connection over HTTP doesn't notice by itself that its server is another one by now.
    lost: () => void client?.close().catch(() => {}),
    async close() {
      closing.abort();
      await client?.close().catch(() => {});
    },
  };
}
