import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PromptResponse } from '@agentclientprotocol/sdk';
import type { AgentSettings } from '../../schema/agents.ts';
import type { CommandRun, EffectsPort } from '../contract/effects.ts';
import { withVariables } from '../process/with-variables.ts';
import { endedBy } from '../proof/ended-by.ts';
import { passageMode } from '../sandbox/command-user.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';
import { AgentFault } from './agent-fault.ts';
import { boundedStream } from './bounded-stream.ts';
import { AGENT_SOCKET, bridged, placeBridge, TOOLS_SOCKET, toolsServer } from './bridge.ts';
import { listenIn } from './listening.ts';
import { type TalkOrder, talkTo } from './talk.ts';

export interface AgentOrder extends Omit<TalkOrder, 'cwd' | 'mcpServers' | 'mode' | 'signIn'> {
  readonly name: string;
  readonly settings: AgentSettings;
  /** The service's own folder. */
  readonly home: string;
  readonly goalId: string;
  readonly workspace: string;
  readonly effects: Pick<EffectsPort, 'runCommand'>;
  /** A connection of the agent's to the goal's tools. */
  readonly onTools: (socket: Socket) => void;
}

export interface AgentEnd {
  /** The fault where the turn had no end of its own. */
  readonly answer: PromptResponse | AgentFault;
  /** Null where nothing was started. */
  readonly ran: CommandRun | null;
}

const DEFAULT_MINUTES = 30;
/** What an agent gets to keep its session after its turn. */
const LEAVE_MS = 1500;
const MOST_OUTPUT = 64 * 1024;
const MOST_TOOL_LINKS = 8;
/** Not found, and not allowed: a PATH with a folder that its user may not read ends in the latter. */
const NOT_THERE: readonly (number | null)[] = [126, 127];

/** Where an agent's home is kept from turn to turn, one a goal. */
export const agentFolder = (home: string, goalId: string): string => join(home, 'agents', goalId);

/**
 * Starts an agent in the goal's sandbox, with a home of its own, and asks it once. All that it
 * started has ended when this returns.
 *
 * @throws what the sandbox is refused for, and EffectsLost
 */
export async function runAgent(order: AgentOrder): Promise<AgentEnd> {
  const folder = agentFolder(order.home, order.goalId);
  await mkdir(folder, { recursive: true, mode: passageMode() });
  const link = await makeScratch('agent');
  try {
    return await runLinked(order, folder, link);
  } finally {
    await removeScratch(link);
  }
}

async function runLinked(order: AgentOrder, folder: string, link: string): Promise<AgentEnd> {
  const { settings } = order;
  await placeBridge(link);
  const ended = new AbortController();
  const late = AbortSignal.timeout((settings.turnMinutes ?? DEFAULT_MINUTES) * 60_000);
  const came = withResolvers<Socket>();
  const agent = await listenIn(link, AGENT_SOCKET, 1, came.resolve);
  const tools = await listenIn(link, TOOLS_SOCKET, MOST_TOOL_LINKS, order.onTools);
  try {
    const running = order.effects.runCommand({
      command: bridged(link, settings.command, settings.args ?? []),
      cwd: order.workspace,
      timeoutMs: 2 ** 31 - 1,
      maxOutputBytes: MOST_OUTPUT,
      printsFreely: true,
      reach: {
        home: folder,
        writable: [link],
        reads: settings.reads ?? [],
        network: settings.network ?? 'none',
      },
      env: withVariables('it', settings.env),
      signal: ended.signal,
    });
    const stop = AbortSignal.any([order.stop, late]);
    const answer = await asked(order, { link, came: came.promise, running, stop });
    const isLate = late.aborted && !order.stop.aborted;
    const leaving = setTimeout(() => ended.abort(), LEAVE_MS);
    if (answer instanceof AgentFault && answer.kind === 'flooded') ended.abort();
    const ran = await running.finally(() => clearTimeout(leaving));
    return { answer: told(answer, ran, isLate, order), ran };
  } finally {
    ended.abort();
    await Promise.all([agent.close(), tools.close()]);
  }
}

interface Started {
  readonly link: string;
  readonly came: Promise<Socket>;
  readonly running: Promise<CommandRun>;
  readonly stop: AbortSignal;
}

async function asked(
  order: AgentOrder,
  { link, came, running, stop }: Started,
): Promise<PromptResponse | AgentFault> {
  const notStarted = () => new AgentFault('not_started', 'it ended before it could be asked');
  const gone = running.then(notStarted);
  gone.catch(() => {});
  const stopped = new Promise<AgentFault>((resolve) => {
    const end = () => resolve(new AgentFault('not_started', 'it was stopped as it started'));
    if (stop.aborted) end();
    else stop.addEventListener('abort', end, { once: true });
  });
  const socket = await Promise.race([came, gone, stopped]);
  if (socket instanceof AgentFault) return socket;
  const flooded = withResolvers<AgentFault>();
  const stream = boundedStream(socket, flooded.resolve);
  // Nothing is waited for that neither the process nor its stream can bring any more.
  const lost = running.then(async () => {
    await sleep(LEAVE_MS);
    return new AgentFault('died', 'it ended before its turn did');
  });
  lost.catch(() => {});
  const { workspace: cwd, settings } = order;
  const { mode = null, signIn = null } = settings;
  const talk = { ...order, cwd, mode, signIn, mcpServers: [toolsServer(link)], stop };
  const talked = talkTo(stream, talk).catch(async (error: unknown) => {
    if (!(error instanceof AgentFault)) throw error;
    // The end of a stream is told before why it was ended.
    await new Promise(setImmediate);
    return error;
  });
  return await Promise.race([flooded.promise, talked, lost]).finally(() => socket.end());
}

/** What is known of an end once the process is gone. */
function told(
  answer: PromptResponse | AgentFault,
  ran: CommandRun,
  isLate: boolean,
  { name, settings }: AgentOrder,
): PromptResponse | AgentFault {
  if (isLate) {
    const minutes = settings.turnMinutes ?? DEFAULT_MINUTES;
    return new AgentFault('timed_out', `its turn took longer than ${minutes} minutes`);
  }
  if (!(answer instanceof AgentFault)) return answer;
  if (answer.kind === 'not_started' && NOT_THERE.includes(ran.exitCode)) {
    const why = `${settings.command} is not on this worker, its sandbox does not show it, or its user may not run it. Install it there, or correct "agents.${name}" in the settings (docs/agents.md), then resume the goal`;
    return new AgentFault('not_installed', why);
  }
  const kind = answer.kind === 'not_started' && wasKilled(ran) ? 'died' : answer.kind;
  const words = [ran.ended === 'cancelled' ? null : endedBy(ran), lastLines(ran.output)];
  const more = words.filter((text) => text !== null && text !== '').join('; ');
  return new AgentFault(kind, more === '' ? answer.message : `${answer.message}. It said: ${more}`);
}

/** By a signal of somebody else's: what ends by itself would end so again, and this need not. */
const wasKilled = ({ ended, signal, exitCode }: CommandRun): boolean =>
  ended === 'exited' && (signal !== null || (exitCode ?? 0) > 128);

function lastLines(output: Uint8Array): string {
  const text = new TextDecoder().decode(output).trim();
  return text.slice(-600);
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
