import { type ChildProcess, spawn } from 'node:child_process';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reached } from '../../../schema/network.ts';
import { holdingNetwork, joining } from '../../sandbox/namespace.ts';
import { PROXY_PORT } from '../../sandbox/network.ts';
import { type RunningCommand, startCommand } from './command.ts';
import type { CommandOrder, ProxyOrder, Ran } from './protocol.ts';
import { SANDBOX_UNMADE } from './watch-box.ts';

const PATIENCE_MS = 20_000;
const LAST_WORDS_MS = 2000;

/**
 * Opens the socket in the network that it is started in, and hands it over. It stays for as long as
 * its parent does, so that the network has a number by which the command joins it.
 */
const OPEN_SOCKET = `
  const server = require('node:net').createServer();
  process.once('disconnect', () => process.exit());
  server.listen({ host: '127.0.0.1', port: ${PROXY_PORT} }, () =>
    process.send({ pid: process.pid }, server, () => server.close()));`;

/**
 * A command in a network of its own, whose only way out is a proxy for this command alone. Nothing
 * but processes in that network can connect to the proxy, because its socket belongs there.
 */
export function startProxied(
  ...[order, env, onOutput]: Parameters<typeof startCommand>
): RunningCommand {
  const { proxied, launcher = [] } = order;
  if (proxied === undefined) return startCommand(order, env, onOutput);
  let command: RunningCommand | null = null;
  let isCancelled = false;
  const run = async (): Promise<Ran> => {
    const network = await openNetwork(proxied);
    try {
      const inside: CommandOrder = { ...order, launcher: joining(launcher, network.pid) };
      command = startCommand(inside, env, onOutput);
      if (isCancelled) command.cancel();
      const ran = await command.result;
      return { ...ran, reached: await network.reached() };
    } finally {
      network.close();
    }
  };
  const cancel = () => {
    isCancelled = true;
    command?.cancel();
  };
  return { result: run(), cancel };
}

interface ProxiedNetwork {
  /** A process in it. */
  readonly pid: number;
  reached(): Promise<readonly Reached[]>;
  close(): void;
}

async function openNetwork({
  proxy: command,
  domains,
  addresses,
}: ProxyOrder): Promise<ProxiedNetwork> {
  const started: ChildProcess[] = [];
  const close = () => started.forEach((child) => void child.kill('SIGKILL'));
  const start = (given: readonly string[]) => {
    const [file = '', ...args] = given;
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.on('error', () => {});
    started.push(child);
    return child;
  };
  try {
    const proxy = start(command);
    const holder = start(holdingNetwork([process.execPath, '-e', OPEN_SOCKET]));
    const [{ pid }, socket] = await told<{ pid: number }>(holder);
    if (socket === undefined) throw new Error('its socket was not handed over');
    proxy.send({ domains, addresses }, socket, () => void socket.close());
    await told(proxy);
    return { pid, reached: () => reachedBy(proxy), close };
  } catch (error) {
    close();
    throw new Error(`${SANDBOX_UNMADE}: its proxy did not start (${(error as Error).message})`);
  }
}

async function reachedBy(proxy: ChildProcess): Promise<readonly Reached[]> {
  try {
    const answer = told<{ reached: readonly Reached[] }>(proxy, LAST_WORDS_MS);
    proxy.send({ kind: 'tally' }, () => {});
    return (await answer)[0].reached;
  } catch {
    const refused = 'the proxy ended before it said what was reached';
    return [{ to: '(unknown)', connections: 0, refused, sentBytes: 0, receivedBytes: 0 }];
  }
}

/** The next message of a process, with what it hands over. */
async function told<Message>(
  child: ChildProcess,
  patienceMs = PATIENCE_MS,
): Promise<[Message, Server | undefined]> {
  const over = new AbortController();
  const { signal } = over;
  const message = new Promise<[Message, Server | undefined]>((resolve, reject) => {
    child.once('message', (said, handed) =>
      resolve([said as Message, handed as Server | undefined]),
    );
    for (const end of ['exit', 'error', 'disconnect']) {
      child.once(end, () => reject(new Error('it ended')));
    }
  });
  const late = sleep(patienceMs, undefined, { signal }).then(() => {
    throw new Error('it takes too long');
  });
  try {
    return await Promise.race([message, late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}
