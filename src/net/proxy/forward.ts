import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Destination, destinationOf } from '../../../schema/domain.ts';
import { passedHeaders } from './judge.ts';
import type { Refused } from './refusals.ts';

export type Target =
  | { readonly to: Destination; readonly path: string; readonly why: null }
  | { readonly to: Destination | null; readonly why: Refused };

/** What a plain request asks for: an absolute http URL whose host its Host header repeats. */
export function targetOf({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): Target {
  const authority = /^http:\/\/([^/?#\\]*)/i.exec(url)?.[1];
  if (authority === undefined || !URL.canParse(url)) return { to: null, why: 'not_http' };
  if (authority.includes('@')) return { to: null, why: 'user_in_url' };
  const to = httpDestination(authority);
  if (to === null) return { to, why: 'unreadable' };
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && isHost(rawHeaders[at - 1]));
  const named = hosts.map(httpDestination);
  const isSame = named.every((one) => one?.host === to.host && one.port === to.port);
  if (hosts.length > 1 || !isSame) return { to, why: 'other_host' };
  const { pathname, search } = new URL(url);
  return { to, path: pathname + search, why: null };
}

const isHost = (name = ''): boolean => name.toLowerCase() === 'host';

const httpDestination = (authority: string): Destination | null =>
  destinationOf(authority) ?? destinationOf(`${authority}:80`);

/** Answers below it are interim, or none at all (RFC 9110, 15). */
const LEAST_FINAL = 200;

/**
 * Sends a request on over a connection of its own, framed anew by what the parser has read: the
 * server sees one request, whatever the client's bytes looked like.
 */
export function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  server: Socket,
  { to, path }: { readonly to: Destination; readonly path: string },
  onFailed: () => void,
): void {
  const { host, port } = to;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined;
  const headers = [
    ...['Host', port === 80 ? host : `${host}:${port}`, 'Connection', 'close'],
    ...passedHeaders(incoming.rawHeaders),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
  ];
  const { method = 'GET' } = incoming;
  const outgoing = request({ method, path, headers, createConnection: () => server });
  outgoing.once('response', (response) => {
    response.on('error', () => answer.destroy());
    const { statusCode = 0 } = response;
    if (statusCode < LEAST_FINAL) return onFailed();
    // The server's own words for it may hold what Node refuses to write.
    answer.writeHead(statusCode, passedHeaders(response.rawHeaders));
    response.pipe(answer);
  });
  // Nobody asked for another protocol.
  outgoing.once('upgrade', (_, socket) => {
    socket.destroy();
    onFailed();
  });
  outgoing.on('error', () => (answer.headersSent ? answer.destroy() : onFailed()));
  incoming.on('error', () => outgoing.destroy());
  answer.on('close', () => outgoing.destroy());
  answer.on('error', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
