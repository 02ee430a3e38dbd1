import { type ProgressEvent, progressLine } from './progress.ts';
import type { Terminal } from './terminal.ts';

export interface LiveProgress {
  show(event: ProgressEvent): void;
  close(): void;
}

/** A call that ends sooner is told once, by its end. */
const WORTH_TELLING_MS = 1000;

/** Events as lines on stderr, without those that say nothing new. */
export function createLiveProgress({ err, paint }: Pick<Terminal, 'err' | 'paint'>): LiveProgress {
  const beginnings = new Map<string, NodeJS.Timeout>();
  let status: unknown = 'active';
  const tell = (event: ProgressEvent) => {
    const line = progressLine(event, paint);
    if (line !== null) err(line);
  };
  return {
    show(event) {
      const data = (event.data ?? {}) as { callId?: unknown; status?: unknown };
      const callId = String(data.callId);
      if (event.type === 'call.started') {
        beginnings.set(
          callId,
          setTimeout(() => tell(event), WORTH_TELLING_MS),
        );
        return;
      }
      if (event.type === 'call.settled') clearTimeout(beginnings.get(callId));
      if (event.type === 'goal.changed') {
        if (data.status === status) return;
        status = data.status;
      }
      tell(event);
    },
    close() {
      for (const timer of beginnings.values()) clearTimeout(timer);
    },
  };
}
