import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { Running } from './supervisor.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Below those that Linux gives to whoever asks for any (from 32768): Temporal asks for some of its
 * own before it takes the one that it is given, and would get that one now and then.
 */
const [LOWEST, HIGHEST] = [20_000, 32_767];
const TRIES = 20;

/** `preferred` when it is one and free, any free port of the loopback otherwise. */
export async function freePort(preferred: number): Promise<number> {
  const wanted = preferred === 0 ? null : await tryPort(preferred);
  return wanted ?? (await unaskedPort()) ?? (await tryPort(0)) ?? preferred;
}

async function unaskedPort(): Promise<number | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = await tryPort(randomInt(LOWEST, HIGHEST + 1));
    if (port !== null) return port;
  }
  return null;
}

/** @returns the port (a free one for 0), or null when it can't be listened on. */
export function tryPort(port: number, host = LOOPBACK): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}

/** Does something listen on this port of the loopback? */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

/** Restarts a server on the same port, because the children know that address. */
export async function onSamePort<R extends Running & { readonly port: number }>(
  previous: R | null,
  start: (port: { port?: number }) => Promise<R>,
): Promise<R> {
  if (previous === null) return start({});
  const running = await start({ port: previous.port });
  if (running.port === previous.port) return running;
  await running.stop();
  throw new Error(`port ${previous.port} was taken by something else`);
}
