import { errors, request } from 'undici';
import type { AddressRules } from '../contract/addresses.ts';
import { AddressRefused, literalAddress } from './addresses.ts';
import { judgedDispatcher } from './dispatcher.ts';

/** The service requests this URL for no caller. */
export class UrlRefused extends Error {
  constructor(url: string, why: string) {
    super(`${url.slice(0, 300)} ${why}`);
    this.name = 'UrlRefused';
  }
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit of the whole request, from name lookup to the end of the answer. */
  readonly timeoutMs: number;
  readonly addresses: AddressRules;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** The target of a redirect, which is not followed. */
  readonly location: string | null;
}

/**
 * One HTTP request to a URL that a model or a caller named. The address is judged at the moment
 * of the connection, so a name that resolves otherwise the second time gains nothing. Redirections
 * are not followed, and the body of the answer isn't read.
 * @throws UrlRefused
 */
export async function sendRequest(outgoing: OutgoingRequest): Promise<Answer> {
  const url = assertAskable(outgoing.url, outgoing.addresses);
  const timeout = AbortSignal.timeout(outgoing.timeoutMs);
  const signal = outgoing.signal ? AbortSignal.any([outgoing.signal, timeout]) : timeout;
  const dispatcher = judgedDispatcher(outgoing.addresses, ENDLESS);
  try {
    const { statusCode, headers, body } = await request(
      `${url.origin}${url.pathname}${url.search}`,
      {
        method: outgoing.method ?? 'GET',
        headers: { ...credentialsOf(url), ...outgoing.headers },
        body: outgoing.body ?? null,
        signal,
        dispatcher,
      },
    );
    body.on('error', () => {}).destroy();
    return { status: statusCode, location: [headers.location].flat()[0] ?? null };
  } catch (error) {
    throw plainly(error, outgoing.url);
  } finally {
    await dispatcher.destroy();
  }
}

/** The signal ends everything, from the look-up of the name on. */
const ENDLESS = { connectMs: 0, headersTimeout: 0, bodyTimeout: 0 };

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(words).toString('base64')}` };
}

function plainly(error: unknown, url: string): unknown {
  if (error instanceof AddressRefused) return new UrlRefused(url, NOT_ALLOWED);
  const isCut = error instanceof errors.SocketError;
  return isCut ? new Error('closed without an answer', { cause: error }) : error;
}

/** @throws UrlRefused */
export function assertAskable(text: string, addresses: AddressRules): URL {
  const url = URL.parse(text);
  if (url === null) throw new UrlRefused(text, 'is not a URL');
  if (!['http:', 'https:'].includes(url.protocol)) throw new UrlRefused(text, 'is not http(s)');
  const address = literalAddress(url);
  if (address !== null && !addresses.isPermitted(address)) throw new UrlRefused(text, NOT_ALLOWED);
  return url;
}

const NOT_ALLOWED = 'leads to an address that is not public, which this service does not ask';
