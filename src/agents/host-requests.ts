import { randomUUID } from 'node:crypto';
import {
  type ClientApp,
  type ClientCapabilities,
  type CreateTerminalRequest,
  RequestError,
} from '@agentclientprotocol/sdk';

/** What an agent has the host do for it: the host's own work, under the goal's rules. */
export interface AgentHost {
  /** @param path absolute. @throws Declined */
  read(path: string): Promise<string>;
  /** @throws Declined */
  write(path: string, content: string): Promise<void>;
  /** Begins a command. @throws Declined where it may not run */
  run(asked: AskedCommand): Promise<RunningCommand>;
}

export interface AskedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute; null = the workspace. */
  readonly cwd: string | null;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface RunningCommand {
  /** Never rejects. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
}

/** The host did nothing; the message is for the agent. */
export class Declined extends Error {}

export const HOST_CAPABILITIES: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
};

/** Terminals of one turn, running or kept until they are released. */
const MOST_TERMINALS = 16;
const MOST_OUTPUT = 1024 * 1024;
const INVALID_PARAMS = -32_602;
const REFUSED = -32_001;

interface Terminal {
  output: string;
  isCut: boolean;
  exit: { exitCode: number | null; signal: string | null } | null;
  readonly ended: RunningCommand['ended'];
  readonly stop: AbortController;
}

/** Answers `fs/*` and `terminal/*`. */
export function answerHostRequests(app: ClientApp, host: AgentHost): ClientApp {
  const terminals = new Map<string, Terminal>();
  const found = (id: string): Terminal => {
    const terminal = terminals.get(id);
    if (terminal === undefined) throw new RequestError(INVALID_PARAMS, 'no such terminal');
    return terminal;
  };
  return app
    .onRequest('fs/read_text_file', async ({ params }) => ({
      content: linesOf(await told(host.read(params.path)), params.line, params.limit),
    }))
    .onRequest('fs/write_text_file', async ({ params }) => {
      await told(host.write(params.path, params.content));
      return {};
    })
    .onRequest('terminal/create', async ({ params }) => {
      if (terminals.size >= MOST_TERMINALS)
        throw new RequestError(REFUSED, `release a terminal first: ${MOST_TERMINALS} are open`);
      const terminalId = randomUUID();
      terminals.set(terminalId, await told(open(host, params)));
      return { terminalId };
    })
    .onRequest('terminal/output', ({ params }) => {
      const { output, isCut, exit } = found(params.terminalId);
      return { output, truncated: isCut, ...(exit === null ? {} : { exitStatus: exit }) };
    })
    .onRequest('terminal/wait_for_exit', ({ params }) => found(params.terminalId).ended)
    .onRequest('terminal/kill', async ({ params }) => {
      const { stop, ended } = found(params.terminalId);
      stop.abort();
      await ended;
      return {};
    })
    .onRequest('terminal/release', async ({ params }) => {
      const { stop, ended } = found(params.terminalId);
      stop.abort();
      await ended;
      terminals.delete(params.terminalId);
      return {};
    });
}

async function open(host: AgentHost, asked: CreateTerminalRequest): Promise<Terminal> {
  const most = Math.min(MOST_OUTPUT, asked.outputByteLimit ?? MOST_OUTPUT);
  const stop = new AbortController();
  const shown = { output: '', isCut: false };
  const { ended } = await host.run({
    ...{ command: asked.command, args: asked.args ?? [], cwd: asked.cwd ?? null },
    env: asked.env ?? [],
    onOutput(text) {
      const all = shown.output + text;
      shown.isCut ||= all.length > most;
      shown.output = all.slice(-most);
    },
    signal: stop.signal,
  });
  const terminal: Terminal = Object.assign(shown, { exit: null, ended, stop });
  void ended.then((exit) => {
    terminal.exit = exit;
  });
  return terminal;
}

/** @param line the first one, from 1 */
function linesOf(text: string, line: number | null = 1, limit: number | null = null): string {
  if ((line === null || line <= 1) && limit === null) return text;
  const first = Math.max(1, line ?? 1) - 1;
  return text
    .split('\n')
    .slice(first, limit === null ? undefined : first + limit)
    .join('\n');
}

async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Declined) throw new RequestError(REFUSED, error.message);
    throw error;
  }
}
