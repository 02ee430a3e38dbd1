import { type LookupAddress, lookup } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isLocalAddress } from './local-address.ts';

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
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of everything, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  /** May it go to loopback and link-local addresses? */
  readonly allowsLocal: boolean;
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
  const url = assertAskable(outgoing.url, outgoing.allowsLocal);
  const timeout = AbortSignal.timeout(outgoing.timeoutMs);
  const signal = outgoing.signal ? AbortSignal.any([outgoing.signal, timeout]) : timeout;
  const answer = await open(url, outgoing, signal);
  answer.destroy();
  return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null };
}

/** @throws UrlRefused */
export function assertAskable(text: string, allowsLocal: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw new UrlRefused(text, 'is not a URL');
  if (!['http:', 'https:'].includes(url.protocol)) throw new UrlRefused(text, 'is not http(s)');
  const isLocalName = /^(.*\.)?localhost\.?$/i.test(url.hostname);
  if (!allowsLocal && (isLocalName || isLocalAddress(url.hostname))) {
    throw new UrlRefused(text, LOCAL);
  }
  return url;
}

const LOCAL = 'leads to a loopback or link-local address, which this service does not ask';

function open(
  url: URL,
  { method = 'GET', headers = {}, body, allowsLocal }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const lookUp = allowsLocal ? {} : { lookup: publicLookup(url.href) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, agent: false, ...lookUp }, resolve);
    sent.on('error', reject);
    // All that is emitted where the answer is a change of protocol.
    sent.on('close', () => reject(new Error('closed without an answer')));
    sent.end(body);
  });
}

/** Refuses a name when any of its addresses is a local one. */
const publicLookup =
  (url: string): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      if (addresses.some(({ address }) => isLocalAddress(address))) {
        return callback(new UrlRefused(url, LOCAL), '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
