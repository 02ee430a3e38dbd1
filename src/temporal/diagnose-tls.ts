import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { type TemporalTls, TemporalTlsError, type TlsProblem } from '../contract/temporal-tls.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

const PATIENCE_MS = 2000;
/** Beginning of HTTP/2 with empty settings: a server that refuses a certificate answers by an alert. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/**
 * Says why no connection is trusted, because both gRPC clients hide it. Null: TLS is not what stands
 * between.
 */
export async function diagnoseTls(
  address: string,
  tls: TemporalTls,
): Promise<TemporalTlsError | null> {
  try {
    await shakeHands(address, tls, readTlsFiles(tls));
    return null;
  } catch (error) {
    if (error instanceof TemporalTlsError) return error;
    const problem = problemOf(error as NodeJS.ErrnoException);
    return problem === null ? null : new TemporalTlsError(problem);
  }
}

function shakeHands(address: string, tls: TemporalTls, { ca, client }: TlsFiles): Promise<void> {
  const { hostname, port } = new URL(`https://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      host,
      port: Number(port || 443),
      ca,
      ALPNProtocols: ['h2'],
      ...(client ?? {}),
      ...nameOf(tls, host),
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
    let hasShaken = false;
    socket.once('secureConnect', () => {
      hasShaken = true;
      socket.write(PREFACE);
    });
    socket.once('data', () => {
      resolve();
      socket.destroy();
    });
    // Some servers judge a client's certificate after the handshake, and only hang up.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      reject(hasShaken && error.code === 'ECONNRESET' ? refused() : error),
    );
    socket.once('close', () => reject(hasShaken ? refused() : new Error('closed')));
  });
}

/** An address is no name; Node compares it with the certificate by itself. */
const nameOf = ({ serverName }: TemporalTls, host: string) =>
  serverName === null && isIP(host) !== 0 ? {} : { servername: serverName ?? host };

const refused = () => new TemporalTlsError('client_certificate_refused');

const PROBLEMS: readonly (readonly [RegExp, TlsProblem])[] = [
  [/^CERT_HAS_EXPIRED$/, 'server_certificate_expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'server_name_differs'],
  [/^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_)/, 'server_certificate_untrusted'],
  [/ALERT|HANDSHAKE_FAILURE/, 'client_certificate_refused'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH|EPROTO/, 'no_tls'],
];

function problemOf({ code = '' }: NodeJS.ErrnoException): TlsProblem | null {
  return PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
