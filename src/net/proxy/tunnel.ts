import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Destination } from '../../../schema/domain.ts';
import { MOST_HELLO_BYTES, readHello } from './client-hello.ts';
import { helloIssue } from './judge.ts';
import type { ProxyLimits } from './limits.ts';
import type { Refused } from './refusals.ts';

/** Fatal, unrecognized_name (RFC 8446, 6): clients say so instead of a mere end. */
const ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

/**
 * Joins both ends once the client has begun TLS with the server that it was connected to. Nothing
 * is decrypted.
 */
export function join(
  client: Duplex,
  server: Socket,
  to: Destination,
  limits: ProxyLimits,
  onRefused: (why: Refused) => void,
): void {
  const refuse = (why: Refused) => {
    onRefused(why);
    server.destroy();
    client.end(ALERT, () => client.destroy());
  };
  const timer = setTimeout(() => refuse('not_tls'), limits.headMs);
  const begun: Buffer[] = [];
  const look = (piece: Buffer) => {
    begun.push(piece);
    const bytes = Buffer.concat(begun);
    const hello = readHello(bytes);
    if (hello.kind === 'more' && bytes.length < MOST_HELLO_BYTES) return;
    clearTimeout(timer);
    client.off('data', look).pause();
    const why = helloIssue(hello, to);
    if (why !== null) return refuse(why);
    server.write(bytes);
    joinFreely(client, server, limits);
  };
  client.on('data', look);
  for (const one of [client, server]) one.once('close', () => clearTimeout(timer));
  for (const [one, other] of [[client, server] as const, [server, client] as const]) {
    one.on('error', () => {});
    one.once('close', () => other.destroy());
  }
}

function joinFreely(client: Duplex, server: Socket, { idleMs }: ProxyLimits): void {
  // Bytes in either direction pass through this socket.
  server.setTimeout(idleMs, () => server.destroy());
  client.pipe(server);
  server.pipe(client);
}
