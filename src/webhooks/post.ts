import { lookup as resolve } from 'node:dns';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type AddressRules, whyRefused } from './addresses.ts';

export type Posted =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: string };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/**
 * One request, without following redirects. The address is judged after the name was resolved and
 * is the one that is connected to, so a name can't lead elsewhere between the two.
 */
export async function post(
  { url, headers, body, timeoutMs }: Post,
  rules: AddressRules,
): Promise<Posted> {
  const refusal = whyRefused(url, rules);
  if (refusal !== null) return { kind: 'failed', error: refusal };
  const target = new URL(url);
  const request = target.protocol === 'http:' ? requestPlain : requestSecure;
  try {
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      const sent = request(
        target,
        {
          method: 'POST',
          agent: false,
          lookup: judgedLookup(rules),
          signal: AbortSignal.timeout(timeoutMs),
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'goalkeeper-webhooks/1',
          },
        },
        done,
      );
      sent.on('error', fail);
      // All that is emitted where the answer is a change of protocol.
      sent.on('close', () => fail(new Error('closed without an answer')));
      sent.end(body);
    });
    // Nothing of the answer but its status is of use.
    answer.on('error', () => {});
    answer.destroy();
    return { kind: 'answered', status: answer.statusCode ?? 0 };
  } catch (error) {
    return { kind: 'failed', error: wordsOf(error, timeoutMs) };
  }
}

class AddressRefused extends Error {}

/** Not called for literal addresses, which {@link whyRefused} has judged. */
export function judgedLookup(
  rules: AddressRules,
  resolveName: typeof resolve = resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => rules.isPermitted(address))) {
        const refused = new AddressRefused('its name leads to an address that is not allowed');
        return callback(refused, '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** Codes and short words: an error of the library may hold the URL with its query. */
function wordsOf(error: unknown, timeoutMs: number): string {
  if (error instanceof AddressRefused) return error.message;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer within ${timeoutMs} ms`;
  return typeof code === 'string' ? code : 'the connection failed';
}
