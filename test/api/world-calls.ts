import { createParser } from 'eventsource-parser';
import { type GoalWorld, TOKENS } from '../support/goal-world.ts';
import type { Called } from './calls.ts';

export type RoleName = keyof typeof TOKENS;

interface CallOptions {
  readonly body?: unknown;
  /** Sent as it is, in the place of `body`. */
  readonly raw?: string;
  readonly role?: RoleName;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** `call('POST /v1/goals', { body })` over real HTTP. */
export function worldCaller(world: Pick<GoalWorld, 'url'>) {
  return async (line: string, options: CallOptions = {}): Promise<Called> => {
    const [method = 'GET', path = '/'] = line.split(' ');
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const answer = await fetch(world.url + path, {
      method,
      headers: headersOf(options, body !== null),
      body,
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    };
  };
}

function headersOf({ role = 'operator', key, headers }: CallOptions, hasBody: boolean) {
  return {
    authorization: `Bearer ${TOKENS[role]}`,
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...headers,
  };
}

export interface Streamed {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are read by tests that know them
  readonly data: any;
}

/** Reads an event stream until an event satisfies `isLast`, then leaves it. */
export async function readStream(
  world: Pick<GoalWorld, 'url'>,
  path: string,
  options: {
    readonly isLast: (event: Streamed) => boolean;
    readonly headers?: Record<string, string>;
    /** Called once, when the stream has caught up with the record or has opened. */
    readonly onOpen?: () => Promise<unknown>;
  },
): Promise<Streamed[]> {
  const leaving = new AbortController();
  const answer = await fetch(world.url + path, {
    headers: { authorization: `Bearer ${TOKENS.viewer}`, ...options.headers },
    signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(200_000)]),
  });
  const events: Streamed[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      void events.push({ id, event: event ?? '', data: JSON.parse(data) }),
  });
  const opened = options.onOpen?.();
  try {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      if (events.some(options.isLast)) return events;
    }
    throw new Error(`the stream ended: ${JSON.stringify(events)}`);
  } finally {
    await opened;
    leaving.abort();
  }
}
