import type { z } from 'zod';
import { ForgeRefused } from './refused.ts';

const PATIENCE_MS = 30_000;
const MOST_BYTES = 5 * 1024 * 1024;

export interface Asked<Value> {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly body?: object;
  readonly schema: z.ZodType<Value>;
}

/** One request to the API of a forge; null = it knows no such thing (404). */
export type ForgeCall = <Value>(asked: Asked<Value>) => Promise<Value | null>;

/**
 * Redirects are refused, because they would take the token elsewhere.
 * @param token a header and its value
 * @throws ForgeRefused
 */
export const forgeCall =
  (
    api: string,
    token: Readonly<Record<string, string>>,
    patienceMs: number = PATIENCE_MS,
  ): ForgeCall =>
  async ({ method = 'GET', path, body, schema }) => {
    const what = `${method} ${api}${path}`;
    const until = AbortSignal.timeout(patienceMs);
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: {
        ...token,
        accept: 'application/json',
        'user-agent': 'goalkeeper',
        ...typeOf(body),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: until,
    }).catch((error: Error) => {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new ForgeRefused(`${what}: ${why}`, 'Look whether the host answers, and try again.');
    });
    if (answer.status === 404) return null;
    const text = await textOf(answer, what, until);
    if (!answer.ok) {
      const said = text.replaceAll(/\s+/g, ' ').slice(0, 300);
      throw new ForgeRefused(`${what}: ${answer.status} ${said}`, wayOutOf(answer.status));
    }
    const parsed = schema.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data;
    throw new ForgeRefused(
      `${what}: the answer is not that of such a forge.`,
      'Look whether GH_HOST, GITLAB_HOST or GITEA_HOST names the right kind.',
    );
  };

const typeOf = (body: object | undefined) =>
  body === undefined ? {} : { 'content-type': 'application/json' };

/** The signal of a request does not end an answer that comes letter by letter. */
async function textOf(answer: Response, what: string, until: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  const reader = answer.body?.getReader();
  const end = new Promise<never>((_, reject) => {
    const refuse = () => {
      reject(new ForgeRefused(`${what}: its answer does not end.`, 'Look at that host.'));
    };
    if (until.aborted) refuse();
    until.addEventListener('abort', refuse);
  });
  end.catch(() => undefined);
  try {
    for (let bytes = 0; reader !== undefined; ) {
      const { done, value } = await Promise.race([reader.read(), end]);
      if (done) break;
      bytes += value.length;
      if (bytes > MOST_BYTES)
        throw new ForgeRefused(`${what}: more than ${MOST_BYTES} bytes.`, 'Look at that host.');
      parts.push(value);
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
  return Buffer.concat(parts).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wayOutOf(status: number): string {
  if (status === 401) return 'The token is not known there: make another one.';
  if (status === 403) return 'Give the token the right to write pull requests and contents.';
  if (status === 429 || status >= 500) return 'Try again later.';
  return 'Correct what it names and try again.';
}
