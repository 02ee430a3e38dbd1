import type { Goal } from '../api/types.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | {
      readonly state: 'offline';
      /** Of the data that is shown. */
      readonly since: string;
      readonly nextTryAt: number;
    };

export interface LiveStream {
  close(): void;
  tryNow(): void;
}

export interface StreamHooks {
  readonly onGoal: (goal: Goal) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The stream was away: what it would have told has to be asked for. */
  readonly onGap: () => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/** One stream for the whole console; comes back by itself, less often the longer it takes. */
export function openStream({ onGoal, onConnection, onGap }: StreamHooks): LiveStream {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;
  let since: string | null = null;

  function connect(): void {
    clearTimeout(timer);
    source?.close();
    source = new EventSource('/v1/events');
    source.onopen = () => {
      pause = FIRST_PAUSE_MS;
      if (since !== null) onGap();
      since = null;
      onConnection({ state: 'live' });
    };
    source.addEventListener('goal.changed', (event) => {
      onGoal((JSON.parse(event.data as string) as { goal: Goal }).goal);
    });
    source.onerror = retry;
  }

  function retry(): void {
    source?.close();
    since ??= new Date().toISOString();
    onConnection({ state: 'offline', since, nextTryAt: Date.now() + pause });
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  onConnection({ state: 'connecting' });
  connect();
  return {
    close() {
      clearTimeout(timer);
      source?.close();
    },
    tryNow: connect,
  };
}
