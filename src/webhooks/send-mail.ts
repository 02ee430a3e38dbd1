import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { AddressRules } from '../contract/addresses.ts';
import type { MailSettings } from '../contract/config.ts';
import { AddressRefused, judgedLookup, literalAddress } from '../net/addresses.ts';
import type { MailMessage } from './mail-message.ts';
import type { Posted } from './post.ts';

export interface MailWay {
  readonly server: MailSettings;
  readonly addresses: AddressRules;
  readonly timeoutMs: number;
}

/**
 * Hands one message to the server, over a connection of its own that is judged as a webhook's is.
 * Without TLS nothing is sent, unless the operator allows the server's literal address.
 */
export async function sendMail(
  message: MailMessage,
  { server, addresses, timeoutMs }: MailWay,
): Promise<Posted> {
  const { host, port, isTls, isPlain, user, password } = server;
  const deadline = AbortSignal.timeout(timeoutMs);
  let socket: Socket | null = null;
  const transport = createTransport({
    ...{ host, port, secure: isTls, requireTLS: !isTls && !isPlain },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    getSocket(_options, done) {
      socket = judgedSocket(server, addresses, done);
      deadline.addEventListener('abort', () => socket?.destroy(new TooLate()), { once: true });
    },
  });
  try {
    const { response } = await transport.sendMail({ ...message, headers: { ...message.headers } });
    return { kind: 'answered', status: statusOf(response) ?? 250 };
  } catch (error) {
    return failure(error, deadline.aborted, timeoutMs);
  } finally {
    transport.close();
    (socket as Socket | null)?.destroy();
  }
}

class TooLate extends Error {}

type Connected = (error: Error | null, found?: { connection: Socket }) => void;

function judgedSocket(
  { host, port }: MailSettings,
  addresses: AddressRules,
  done: Connected,
): Socket | null {
  const literal = literalAddress({ hostname: host });
  if (literal !== null && !addresses.isPermitted(literal)) {
    done(new AddressRefused('it leads to an address that is not allowed'));
    return null;
  }
  const socket = connect({ host, port, lookup: judgedLookup(addresses) });
  const failed = (error: Error) => done(error);
  socket.once('error', failed).once('connect', () => {
    socket.off('error', failed);
    done(null, { connection: socket });
  });
  return socket;
}

/** A server's words may repeat the message, or who it was for: its code says enough. */
function failure(error: unknown, isLate: boolean, timeoutMs: number): Posted {
  if (isLate) return { kind: 'failed', error: `no answer within ${timeoutMs} ms` };
  if (error instanceof AddressRefused) return { kind: 'failed', error: error.message };
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (responseCode !== undefined) return { kind: 'answered', status: responseCode };
  return { kind: 'failed', error: typeof code === 'string' ? code : 'the connection failed' };
}

const statusOf = (response: string): number | null => {
  const code = Number(/^(\d{3})/.exec(response)?.[1]);
  return code > 0 ? code : null;
};
