import { readFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Pair } from './tls-proxy.ts';

const UNAUTHENTICATED = '16';
const PERMISSION_DENIED = '7';
/** What a client asks before it names a namespace. */
const OF_THE_SERVER = /\/(?:GetSystemInfo|GetClusterInfo|Check)$/;
const HOP = /^(:status|connection|keep-alive|transfer-encoding)$/;

/**
 * TLS before a Temporal that knows no keys, as Temporal Cloud has it: each call needs
 * `authorization: Bearer KEY`, and is answered by the status UNAUTHENTICATED without it.
 */
export async function startApiKeyProxy(target: string, server: Pair, firstKey: string) {
  let key = firstKey;
  let isAdmitted = true;
  const seen = { admitted: 0, refused: 0 };
  const sessions = new Set<ServerHttp2Session>();
  const proxy = createSecureServer({
    cert: readFileSync(server.certFile),
    key: readFileSync(server.keyFile),
  });
  let behind: ClientHttp2Session | null = null;
  const temporal = (): ClientHttp2Session => {
    if (behind === null || behind.closed || behind.destroyed) {
      behind = connect(`http://${target}`);
      behind.on('error', () => {});
    }
    return behind;
  };
  proxy.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  proxy.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    if (headers.authorization !== `Bearer ${key}`) {
      seen.refused += 1;
      refuse(stream);
      return;
    }
    if (!isAdmitted && !OF_THE_SERVER.test(String(headers[':path']))) {
      seen.refused += 1;
      refuse(stream, PERMISSION_DENIED);
      return;
    }
    seen.admitted += 1;
    forward(stream, headers, temporal());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    seen,
    /** The key is known, and from now on it has rights in the namespace, or none. */
    admit(toNamespace: boolean): void {
      isAdmitted = toNamespace;
    },
    /** From now on only calls with this key are admitted; those under way go on. */
    allow(next: string): void {
      key = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const session of sessions) session.destroy();
        behind?.destroy();
        proxy.close(() => resolve());
      }),
  };
}

function refuse(stream: ServerHttp2Stream, status = UNAUTHENTICATED): void {
  const said = { 'grpc-status': status, 'grpc-message': 'the key is not known' };
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', ...said },
    { endStream: true },
  );
}

function forward(
  stream: ServerHttp2Stream,
  { authorization: _, ...headers }: IncomingHttpHeaders,
  temporal: ClientHttp2Session,
): void {
  const call = temporal.request({ ...headers, ':scheme': 'http' });
  call.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  stream.once('aborted', () => call.close(constants.NGHTTP2_CANCEL));
  stream.pipe(call);
  let trailers: IncomingHttpHeaders = {};
  call.on('trailers', (told) => {
    trailers = told;
  });
  stream.on('wantTrailers', () => stream.sendTrailers(plain(trailers)));
  call.once('response', (told) => {
    if (stream.destroyed) return;
    stream.respond({ ':status': told[':status'], ...plain(told) }, { waitForTrailers: true });
    call.pipe(stream);
  });
}

const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.test(name)));
