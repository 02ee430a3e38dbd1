import { setTimeout as sleep } from 'node:timers/promises';

export interface Service {
  /** Asks again while the API is away or answers 503, as a client with a key may. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, and whatever is absent fails
  ask(path: string, body?: unknown, key?: string): Promise<any>;
  /** How often it was. */
  refused(): number;
}

const PATIENCE_MS = 120_000;

export function serviceAt(api: string, token: string): Service {
  let refused = 0;
  const once = async (path: string, body: unknown, key: string) => {
    const answer = await fetch(`${api}${path}`, {
      signal: AbortSignal.timeout(20_000),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(body ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    }).catch(() => null);
    if (answer === null || answer.status === 503) return null;
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(said)}`);
    return said;
  };
  return {
    refused: () => refused,
    async ask(path, body, key = '') {
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
        const said = await once(path, body, key);
        if (said !== null) return said;
        refused += 1;
      }
      throw new Error(`the API does not answer ${path}`);
    },
  };
}
