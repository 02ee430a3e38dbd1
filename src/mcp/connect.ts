import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerSettings } from '../../schema/mcp-servers.ts';
import { productVersion } from '../version.ts';
import { type AnswerTooLarge, limitedFetch } from './limited-fetch.ts';
import { withVariables } from './settings.ts';

const CONNECT_MS = 10_000;
const MOST_PAGES = 20;

export interface Connected {
  readonly client: Client;
  readonly listed: readonly ListedTool[];
  /** Why the connection was given up; null where the server ended it. */
  readonly fault: () => AnswerTooLarge | null;
}

/**
 * Connects and lists the tools; a server that fails at either counts as away.
 * @throws with the reason
 */
export async function connectTo(
  name: string,
  settings: McpServerSettings,
  milliseconds = CONNECT_MS,
): Promise<Connected> {
  const client = new Client({ name: 'goalkeeper', version: productVersion() });
  let fault: AnswerTooLarge | null = null;
  const onTooLarge = (error: AnswerTooLarge) => {
    fault ??= error;
    void client.close().catch(() => {});
  };
  let listed: readonly ListedTool[] = [];
  let isConnected = false;
  const there = async () => {
    await client.connect(transportOf(name, settings, onTooLarge), { timeout: milliseconds });
    isConnected = true;
    listed = await listAll(client);
  };
  try {
    await withTimeout(milliseconds, there(), () => (isConnected ? 'list its tools' : 'answer'));
    return { client, listed, fault: () => fault };
  } catch (error) {
    await client.close().catch(() => {});
    throw fault ?? error;
  }
}

export async function listAll(client: Client): Promise<ListedTool[]> {
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

/** A timeout keeps a silent server from blocking the worker. */
async function withTimeout(
  milliseconds: number,
  work: Promise<void>,
  what: () => string,
): Promise<void> {
  const over = new AbortController();
  const late = delay(milliseconds, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`it did not ${what()} within ${milliseconds / 1000} s`)),
    () => {},
  );
  await Promise.race([work, late.then(() => work)]).finally(() => over.abort());
}

/** A process gets only the environment that its settings name, without the service's keys. */
function transportOf(
  name: string,
  settings: McpServerSettings,
  onTooLarge: (error: AnswerTooLarge) => void,
): Transport {
  if ('url' in settings) {
    const headers = withVariables(name, settings.headers);
    const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
      requestInit: { headers },
      fetch: limitedFetch(onTooLarge),
    });
    return transport as Transport;
  }
  const { command, args = [], cwd } = settings;
  const env = { ...getDefaultEnvironment(), ...withVariables(name, settings.env) };
  const place = cwd === undefined ? {} : { cwd };
  return new StdioClientTransport({ command, args, env, stderr: 'ignore', ...place });
}
