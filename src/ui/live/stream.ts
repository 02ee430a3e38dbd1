import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Goal } from '../api/types.ts';
import { consoleHeaders } from '../session/console-secret.ts';
import type { OutputPiece } from './live-output.ts';
import type { TextPiece } from './live-text.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | {
      readonly state: 'offline';
      /** The time of the shown data. */
      readonly since: string;
      readonly nextTryAt: number;
    };

export interface LiveStream {
  close(): void;
  tryNow(): void;
  /** Also what this goal's model says and its commands print, as they do it; null = of none. */
  listenTo(goalId: string | null): void;
}

export interface StreamHooks {
  readonly onGoal: (goal: Goal) => void;
  readonly onText: (piece: TextPiece) => void;
  readonly onOutput: (piece: OutputPiece) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The stream was away, so missed changes have to be refetched. */
  readonly onGap: () => void;
  /** The service answers, and knows this session no longer. */
  readonly onRefused: () => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
const SWITCH_MS = 50;
/** The service gathers news for a moment before it tells them. */
const OVERLAP_MS = 1000;
/** The service sends a heartbeat every 15 s; it counts as away after two are missing. */
const SILENCE_MS = 40_000;

/**
 * One stream for the whole console, since a browser opens few connections to a host for all of its
 * tabs together; comes back by itself, less often the longer it takes.
 */
export function openStream(hooks: StreamHooks): LiveStream {
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;
  let since: string | null = null;
  let listened: string | null = null;
  let switching: ReturnType<typeof setTimeout> | undefined;

  /** The one before stays until this one is open, so that nothing is missed between the two. */
  function connect(): void {
    clearTimeout(timer);
    const before = current;
    const own = new AbortController();
    current = own;
    const opened = () => {
      // The old stream stays a moment for its gathered events, which the new one may not repeat.
      setTimeout(() => before?.abort(), OVERLAP_MS);
      if (own !== current) return;
      pause = FIRST_PAUSE_MS;
      if (since !== null) hooks.onGap();
      since = null;
      hooks.onConnection({ state: 'live' });
    };
    const query = listened === null ? '' : `?goal=${encodeURIComponent(listened)}`;
    readEvents(`/v1/events${query}`, own, { opened, told: (event) => tell(hooks, event) })
      .catch((error: unknown) => {
        if (error instanceof Refused && own === current) hooks.onRefused();
      })
      .finally(() => {
        before?.abort();
        if (own === current) retry();
      });
  }

  function retry(): void {
    since ??= new Date().toISOString();
    hooks.onConnection({ state: 'offline', since, nextTryAt: Date.now() + pause });
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  hooks.onConnection({ state: 'connecting' });
  connect();
  return {
    close() {
      clearTimeout(timer);
      clearTimeout(switching);
      const last = current;
      current = null;
      last?.abort();
    },
    tryNow: connect,
    listenTo(goalId) {
      if (goalId === listened) return;
      listened = goalId;
      clearTimeout(switching);
      // From one goal to another there is a moment of none.
      switching = setTimeout(() => since === null && connect(), SWITCH_MS);
    },
  };
}

class Refused extends Error {}

function tell(hooks: StreamHooks, { event, data }: EventSourceMessage): void {
  if (event === 'goal.changed') hooks.onGoal((JSON.parse(data) as { goal: Goal }).goal);
  if (event === 'model.text') hooks.onText(passing<TextPiece>(data));
  if (event === 'command.output') hooks.onOutput(passing<OutputPiece>(data));
}

/** What is told once and stored nowhere. */
function passing<Piece>(json: string): Piece {
  const { goalId, data } = JSON.parse(json) as { goalId: string; data: Piece };
  return { ...data, goalId };
}

/** Resolves when the stream ends; throws if it never opened. */
async function readEvents(
  url: string,
  own: AbortController,
  { opened, told }: { opened: () => void; told: (event: EventSourceMessage) => void },
): Promise<void> {
  const watch = watchSilence(() => own.abort());
  try {
    const answer = await fetch(url, {
      headers: { accept: 'text/event-stream', ...consoleHeaders() },
      cache: 'no-store',
      signal: own.signal,
    });
    if (answer.status === 401) throw new Refused();
    if (!answer.ok || answer.body === null) throw new Error(`answered ${answer.status}`);
    opened();
    const parser = createParser({ onEvent: told });
    const decoder = new TextDecoder();
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      watch.heard();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    watch.stop();
  }
}

function watchSilence(act: () => void) {
  let timer = setTimeout(act, SILENCE_MS);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(act, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
