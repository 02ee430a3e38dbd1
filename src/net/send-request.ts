import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressRules } from '../contract/addresses.ts';
import { AddressRefused, judgedLookup, literalAddress } from './addresses.ts';

/** A URL that the service doesn't ask, whoever wants it to. */
export class UrlRefused extends Error {
  constructor(url: string, why: string) {
    super(`${url.slice(0, 300)} ${why}`);
    this.name = 'UrlRefused';
  }
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
  /** Of everything, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  readonly addresses: AddressRules;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Where a redirection leads; nobody has followed it. */
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
  const answer = await open(url, outgoing, signal).catch((error: unknown) => {
    throw error instanceof AddressRefused ? new UrlRefused(outgoing.url, NOT_ALLOWED) : error;
  });
  answer.on('error', () => {});
  answer.destroy();
  return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null };
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

function open(
  url: URL,
  { method = 'GET', headers = {}, body, addresses }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const lookup = judgedLookup(addresses);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, agent: false, lookup }, resolve);
    sent.on('error', reject);
    // All that is emitted where the answer is a change of protocol.
    sent.on('close', () => reject(new Error('closed without an answer')));
    sent.end(body);
  });
}
