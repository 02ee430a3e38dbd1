import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Destination, destinationOf } from '../../../schema/domain.ts';
import type { Reached } from '../../../schema/network.ts';
import { type Dialling, dial } from './dial.ts';
import { forward, targetOf } from './forward.ts';
import { ConnectionRefused, type Refused, refusals } from './refusals.ts';
import { createTally, OTHERS } from './tally.ts';
import { join } from './tunnel.ts';

const UNREADABLE = '(no readable place)';

export interface DomainProxy {
  /** Doesn't listen yet. */
  readonly server: Server;
  /** So far, also by connections that are still open. */
  reached(): Reached[];
}

/**
 * An HTTP proxy for the commands of one goal: CONNECT for what is TLS, and plain requests by their
 * URL. What isn't listed gets 403 with the reason, and what fails 502.
 */
export function createProxy(dialling: Dialling): DomainProxy {
  const { limits } = dialling;
  const tally = createTally();
  const living = new Map<Socket, () => void>();
  const server = createServer({
    headersTimeout: limits.headMs,
    // A body may take as long as the command.
    requestTimeout: 0,
    keepAliveTimeout: limits.headMs,
    connectionsCheckingInterval: limits.headMs,
    insecureHTTPParser: false,
  });
  server.maxConnections = limits.connections;
  server.on('drop', () => void tally.count(OTHERS, refusals.too_many));
  server.on('clientError', (_, socket) => {
    tally.count(UNREADABLE, refusals.unreadable);
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });

  const refused = (to: Destination | null, why: Refused): Answer => {
    const place = to === null ? UNREADABLE : shown(to);
    tally.count(place, refusals[why]);
    const status = FAILURES.has(why) ? '502 Bad Gateway' : '403 Forbidden';
    return { status, text: `goalkeeper: ${place} ${refusals[why]}\n` };
  };
  let dialled = 0;
  const open = async (to: Destination) => {
    // One connection of a client may carry many requests at once, so what they open counts too.
    if (dialled + living.size >= limits.connections) throw new ConnectionRefused('too_many');
    dialled += 1;
    const socket = await dial(to, dialling).finally(() => {
      dialled -= 1;
    });
    const add = tally.count(shown(to));
    const settle = () => add(socket.bytesWritten, socket.bytesRead);
    living.set(socket, settle);
    socket.once('close', () => {
      settle();
      living.delete(socket);
    });
    return socket;
  };

  server.on('connect', (request, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    if (head.length > 0) client.unshift(head);
    const to = destinationOf(request.url ?? '');
    if (to === null) return sayTo(client, refused(to, 'unreadable'));
    open(to).then(
      (socket) => {
        if (client.destroyed) return void socket.destroy();
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        join(client, socket, to, limits, (why) => void refused(to, why));
      },
      (error) => sayTo(client, refused(to, whyOf(error))),
    );
  });

  server.on('request', (request, response) => {
    const say = ({ status, text }: Answer) => {
      const [code, words] = [Number(status.slice(0, 3)), status.slice(4)];
      response.writeHead(code, words, { 'content-type': 'text/plain', connection: 'close' });
      response.end(text);
    };
    const target = targetOf(request);
    if (target.why !== null) return say(refused(target.to, target.why));
    const { to } = target;
    open(to).then(
      (socket) => {
        if (response.destroyed) return void socket.destroy();
        socket.setTimeout(limits.idleMs, () => socket.destroy());
        forward(request, response, socket, target, () => say(refused(to, 'unanswered')));
      },
      (error) => say(refused(to, whyOf(error))),
    );
  });
  const reached = () => {
    for (const settle of living.values()) settle();
    return tally.all();
  };
  return { server, reached };
}

interface Answer {
  readonly status: string;
  readonly text: string;
}

const FAILURES: ReadonlySet<Refused> = new Set(['unresolved', 'unanswered', 'too_many']);

const shown = ({ host, port }: Destination): string => `${host}:${port}`;

function whyOf(error: unknown): Refused {
  if (error instanceof ConnectionRefused) return error.why;
  throw error;
}

function sayTo(client: Duplex, { status, text }: Answer): void {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}`;
  client.end(`${head}\r\nConnection: close\r\n\r\n${text}`, () => client.destroy());
}
