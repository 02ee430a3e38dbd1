import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  type ClientOptions,
  type Tool as ListedTool,
  StreamableHTTPClientTransport,
  type Transport,
  UnsupportedProtocolVersionError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Isolation } from '../../schema/isolation.ts';
import type { McpProcessSettings, McpServerSettings } from '../../schema/mcp-servers.ts';
import { withVariables } from '../process/with-variables.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { productVersion } from '../version.ts';
import { type AnswerTooLarge, limitedFetch } from './limited-fetch.ts';

const CONNECT_MS = 10_000;
const MOST_PAGES = 20;

export interface Connected {
  readonly client: Client;
  readonly listed: readonly ListedTool[];
  /** Of a process of this machine; null for a server over HTTP. */
  readonly isolation: Isolation | null;
  /** Why it may serve no call any more; null = it may. */
  readonly whyRefused: () => Promise<string | null>;
  /** Why the connection was given up; null where the server ended it. */
  readonly fault: () => AnswerTooLarge | null;
}

export interface ConnectOptions {
  readonly milliseconds?: number | undefined;
  /** Its tools are others by now. */
  readonly onChanged?: () => void;
}

/** Makes the box of a server that is a process of this machine. */
export type BoxServer = Sandbox['boxServer'];

/**
 * Connects and lists the tools; a server that fails at either counts as away.
 * @throws with the reason
 */
export async function connectTo(
  name: string,
  settings: McpServerSettings,
  boxServer: BoxServer,
  { milliseconds = CONNECT_MS, onChanged = () => {} }: ConnectOptions = {},
): Promise<Connected> {
  let client = createClient('url' in settings ? 'auto' : 'legacy');
  let fault: AnswerTooLarge | null = null;
  const onTooLarge = (error: AnswerTooLarge) => {
    fault ??= error;
    void client.close().catch(() => {});
  };
  let listed: readonly ListedTool[] = [];
  let [isConnected, isGivenUp] = [false, false];
  let isolation: Isolation | null = null;
  let whyRefused = FREE;
  const attempt = async () => {
    const way =
      'url' in settings
        ? overHttp(name, settings, onTooLarge)
        : await asProcess(name, settings, boxServer);
    ({ isolation, whyRefused = FREE } = way);
    // Its box may be ready only after that: nobody would end what starts now.
    if (isGivenUp) return;
    await client.connect(way.transport, { timeout: milliseconds });
  };
  const there = async () => {
    await attempt().catch(async (error) => {
      if (!(error instanceof UnsupportedProtocolVersionError)) throw error;
      await client.close();
      client = createClient({ pin: MODERN });
      await attempt();
    });
    isConnected = true;
    await heedChanges(client, onChanged);
    listed = await listAll(client);
  };
  try {
    await withTimeout(milliseconds, there(), () => (isConnected ? 'list its tools' : 'answer'));
    return { client, listed, isolation, whyRefused, fault: () => fault };
  } catch (error) {
    isGivenUp = true;
    await client.close().catch(() => {});
    throw fault ?? error;
  }
}

/** The first revision whose requests say all of themselves; a process is asked for it in its turn. */
const MODERN = '2026-07-28';

/**
 * A process that knows no question but a handshake may end at another one, so it gets the handshake
 * first. Over HTTP nothing is lost by asking.
 */
const createClient = (mode: VersionNegotiationMode) =>
  new Client(
    { name: 'goalkeeper', version: productVersion() },
    {
      jsonSchemaValidator: NO_CHECK,
      versionNegotiation: { mode },
      listMaxPages: MOST_PAGES,
      enforceStrictCapabilities: true,
    },
  );

/** A newer server tells only who listens; one whose stream broke is connected to again. */
async function heedChanges(client: Client, onChanged: () => void): Promise<void> {
  client.setNotificationHandler('notifications/tools/list_changed', onChanged);
  const tells = client.getServerCapabilities()?.tools?.listChanged === true;
  if (client.getProtocolEra() !== 'modern' || !tells) return;
  const stream = await client.listen({ toolsListChanged: true }).catch(() => null);
  void stream?.closed.then((end) => (end === 'remote' ? client.close() : null)).catch(() => {});
}

const FREE = async (): Promise<string | null> => null;

/** The client would compile and apply servers' schemas of results on this thread. */
const NO_CHECK: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

export async function listAll(client: Client): Promise<ListedTool[]> {
  const { tools } = await client.listTools({}, { cacheMode: 'refresh' });
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

interface Way {
  readonly transport: Transport;
  readonly isolation: Isolation | null;
  readonly whyRefused?: (() => Promise<string | null>) | undefined;
}

function overHttp(
  name: string,
  settings: Extract<McpServerSettings, { url: string }>,
  onTooLarge: (error: AnswerTooLarge) => void,
): Way {
  const headers = withVariables(`the server ${name}`, settings.headers);
  const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers },
    fetch: limitedFetch(onTooLarge),
  });
  return { transport, isolation: null };
}

/** It gets only the environment that its settings name, without the service's keys. */
async function asProcess(
  name: string,
  settings: McpProcessSettings,
  boxServer: BoxServer,
): Promise<Way> {
  const { command: program, args: given = [], reads = [], writes = [], network } = settings;
  const own = withVariables(`the server ${name}`, settings.env);
  const { command, args, cwd, env, isolation, whyRefused } = await boxServer({
    ...{ name, command: program, args: given, reads, writes },
    cwd: settings.cwd,
    network: network ?? 'none',
  });
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], cwd, stderr: 'ignore' },
    env: { ...getDefaultEnvironment(), ...env, ...own },
  });
  return { transport, isolation, whyRefused };
}
