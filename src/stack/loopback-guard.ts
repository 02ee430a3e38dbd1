import { createServer, type Server, type Socket } from 'node:net';
import type { LocalProcess } from '../contract/process-identity.ts';
import {
  type ClientSocket,
  clientSocketOf,
  describeClient,
  isAdmitted,
  socketsOf,
} from './peer.ts';
import { freePort } from './ports.ts';

const LOOPBACK = '127.0.0.1';
/** A flood is told once a minute, with its size. */
const QUIET_MS = 60_000;

export interface GuardOptions {
  /** Taken when free. */
  readonly port: number;
  /** The processes that may connect, at this moment; not those that they start. */
  readonly own: () => readonly LocalProcess[];
  readonly onRefused: (told: string) => void;
}

export interface LoopbackGuard {
  readonly port: number;
  /** Gets every admitted connection, unread; null = nobody is there, and all are closed. */
  handOver: ((socket: Socket) => void) | null;
  close(): void;
}

/**
 * Listens on the loopback for as long as it isn't closed, and hands over what the service's own
 * processes connect. Who connects is judged when the connection is accepted, before a byte of it is
 * read: everybody else's is closed without an answer.
 */
export async function startLoopbackGuard(options: GuardOptions): Promise<LoopbackGuard> {
  const tell = quietly(options.onRefused);
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => {});
    const client = clientOf(socket);
    const isOwn = isAdmitted(client, options.own().map(socketsOf));
    if (!isOwn) tell(client);
    if (isOwn && guard.handOver !== null) guard.handOver(socket);
    else socket.destroy();
  });
  const port = await freePort(options.port);
  const guard: LoopbackGuard = { port, handOver: null, close: () => void server.close() };
  await listen(server, port);
  return guard;
}

function clientOf({ remoteAddress, remotePort, localPort }: Socket): ClientSocket | null {
  if (remoteAddress === undefined || remotePort === undefined || localPort === undefined)
    return null;
  return clientSocketOf({
    client: { address: remoteAddress, port: remotePort },
    server: { address: LOOPBACK, port: localPort },
  });
}

function quietly(onRefused: GuardOptions['onRefused']): (client: ClientSocket | null) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (client) => {
    if (Date.now() - toldAt < QUIET_MS) {
      untold += 1;
      return;
    }
    const more = untold === 0 ? '' : `, and ${untold} more since the last such line`;
    onRefused(`Security: refused a connection to Temporal by ${describeClient(client)}${more}`);
    toldAt = Date.now();
    untold = 0;
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, resolve);
  });
}
