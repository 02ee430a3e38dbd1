import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/failures.ts';
import { type ApiPorts, type Ports, principalOf } from './application.ts';
import { hashOfSecret, readSessionCookie } from './session-cookie.ts';
import { createTokens } from './tokens.ts';

/** A reader that stops reading would otherwise keep an ended stream and its socket for good. */
const END_GRACE_MS = 500;
/** How many heartbeats lie between two looks at the token and session of a stream. */
const BEATS_A_LOOK = 4;

/** Of one principal in one API process: a dozen of people's tabs, or a program gone wrong. */
const MOST_STREAMS = 100;
const RETRY_SECONDS = 10;

export interface StreamEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

export type StreamNeeds = 'feed' | 'settings' | 'sessions' | 'tokens';

/** One `text/event-stream` answer; `isOpen` turns false when the reader or the service leaves. */
export interface EventStream {
  readonly isOpen: boolean;
  /** Resolves when the reader's buffer has room again. */
  send(event: StreamEvent): Promise<void>;
  /** Sends unless the reader is behind. Only for events that readers can do without. */
  offer(event: StreamEvent): void;
  /** Tells readers that they have seen everything up to now. */
  caughtUp(): void;
  /** Resolves at the next notification, after the poll time, or when the stream closes. */
  nextWakeup(): Promise<void>;
  wake(): void;
}

/**
 * Takes the answer over from the framework and runs `follow` until the reader leaves. Closing
 * the service ends open streams, so that it need not wait for its readers.
 */
export function serveEvents(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  ports: Ports<StreamNeeds>,
  follow: (stream: EventStream) => Promise<void>,
): void {
  const { request, reply } = exchange;
  const leave = enter(ports.settings, principalOf(request).name);
  reply.hijack();
  const { raw } = reply;
  const times = ports.settings.stream;
  raw.writeHead(200, {
    ...stringHeaders(reply),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  // Without a listener a connection that breaks mid-write would end the process.
  raw.on('error', () => undefined);
  const isOpen = () => !raw.destroyed && !raw.writableEnded;
  /** @returns whether there is room for more */
  const write = (text: string): boolean => !isOpen() || raw.write(text);
  write(`retry: ${times.poll}\n\n`);
  const isOver = lookAt(request, ports);
  const endIfOver = async () => {
    if (await isOver()) end(raw);
  };
  let beats = 0;
  const heartbeat = setInterval(() => {
    write(': heartbeat\n\n');
    beats += 1;
    if (beats % BEATS_A_LOOK === 0) void endIfOver();
  }, times.heartbeat);
  const wakeup = createWakeup(times.poll);
  const { name, expiresAt } = principalOf(request);
  const endings = [request.sessionEndsAt, expiresAt].map((at) => endWith(at, () => end(raw)));
  const unsubscribe = ports.feed.subscribeRevoked(name, () => void endIfOver());
  // It may have ended since the request was let in.
  void endIfOver();
  raw.once('close', () => {
    clearInterval(heartbeat);
    endings.forEach(clearTimeout);
    unsubscribe();
    leave();
    wakeup.wake();
  });
  const stream: EventStream = {
    get isOpen() {
      return isOpen();
    },
    async send(event) {
      if (!write(frame(event)) && isOpen()) await roomOrClose(raw);
    },
    offer(event) {
      if (!raw.writableNeedDrain) write(frame(event));
    },
    caughtUp: () => void write(': caught up\n\n'),
    nextWakeup: wakeup.next,
    wake: wakeup.wake,
  };
  // The status line was sent, so a failure can only end the stream; the reader reconnects.
  follow(stream)
    .catch((error: unknown) => request.log.warn({ err: error }, 'event stream broke off'))
    .finally(() => end(raw));
}

/** Each server has settings of its own. */
const openOf = new WeakMap<ApiPorts['settings'], Map<string, number>>();

/** @throws Refusal rate_limited @returns what to call when the stream is over */
function enter(server: ApiPorts['settings'], name: string): () => void {
  const open = openOf.get(server) ?? new Map<string, number>();
  openOf.set(server, open);
  const before = open.get(name) ?? 0;
  if (before >= MOST_STREAMS) {
    const detail = `${name} has ${MOST_STREAMS} open event streams: close one.`;
    throw new Refusal('rate_limited', detail, { retryAfterSeconds: RETRY_SECONDS });
  }
  open.set(name, before + 1);
  return () => {
    const left = (open.get(name) ?? 1) - 1;
    if (left > 0) open.set(name, left);
    else open.delete(name);
  };
}

function end(raw: FastifyReply['raw']): void {
  if (raw.destroyed || raw.writableEnded) return;
  raw.end();
  const cut = setTimeout(() => raw.destroy(), END_GRACE_MS);
  raw.once('close', () => clearTimeout(cut));
}

/** Timers take no longer time; the looks at the token find what ends later. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** A stream ends with the token and the session that opened it. */
function endWith(endsAt: string | null, act: () => void): NodeJS.Timeout | undefined {
  const left = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt) - Date.now();
  return left > MOST_TIMER_MS ? undefined : setTimeout(act, Math.max(0, left));
}

/** Another process may have ended token or session. A failed lookup counts as not ended. */
function lookAt(
  request: FastifyRequest,
  { sessions, settings, tokens }: Pick<ApiPorts, 'sessions' | 'settings' | 'tokens'>,
): () => Promise<boolean> {
  const { name } = principalOf(request);
  const known = createTokens(settings.tokens, tokens);
  const secret = request.sessionEndsAt === null ? undefined : readSessionCookie(request);
  const isOver = async () => {
    if (secret === undefined) return (await known.principalNamed(name)) === null;
    const session = await sessions.find(hashOfSecret(secret));
    return session === null || (await known.principalIn(session)) === null;
  };
  return () => isOver().catch(() => false);
}

/** Headers that hooks and plugins had set before the answer was taken over. */
function stringHeaders(reply: FastifyReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

async function roomOrClose(raw: FastifyReply['raw']): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(raw, 'drain', { signal }), once(raw, 'close', { signal })]).finally(() =>
    waiting.abort(),
  );
}

function frame({ id, event, data }: StreamEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Remembers a notification that arrives between two waits, so that none is lost. */
function createWakeup(pollMs: number) {
  let isDue = false;
  let resume: (() => void) | null = null;
  return {
    wake(): void {
      isDue = true;
      resume?.();
    },
    async next(): Promise<void> {
      if (!isDue) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          resume = resolve;
          timer = setTimeout(resolve, pollMs);
        });
        clearTimeout(timer);
        resume = null;
      }
      isDue = false;
    },
  };
}
