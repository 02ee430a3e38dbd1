import type { AddressRules } from '../contract/addresses.ts';
import { sendRequest, UrlRefused } from '../net/send-request.ts';
import { whyRefused } from '../net/target-address.ts';

export type Posted =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: string };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** One request, without following redirects. */
export async function post(
  { url, headers, body, timeoutMs }: Post,
  addresses: AddressRules,
): Promise<Posted> {
  const refusal = whyRefused(url, addresses);
  if (refusal !== null) return { kind: 'failed', error: refusal };
  const outgoing = {
    url,
    method: 'POST',
    body,
    timeoutMs,
    addresses,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'user-agent': 'goalkeeper-webhooks/1',
    },
  } as const;
  try {
    const { status } = await sendRequest(outgoing);
    return { kind: 'answered', status };
  } catch (error) {
    return { kind: 'failed', error: wordsOf(error, timeoutMs) };
  }
}

/** Codes and short words: an error may hold the URL with its query. */
function wordsOf(error: unknown, timeoutMs: number): string {
  if (error instanceof UrlRefused) return 'its name leads to an address that is not allowed';
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer within ${timeoutMs} ms`;
  return typeof code === 'string' ? code : 'the connection failed';
}
