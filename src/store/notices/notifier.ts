import type { Database } from '../client.ts';

export const EVENTS_CHANNEL = 'goalkeeper_events';
export const CANCEL_CHANNEL = 'goalkeeper_cancel';

/** A notifying commit takes a database-wide lock, so there are at most 20 a second. */
const INTERVAL_MS = 50;
/** Postgres takes 8,000 bytes a payload. */
const PAYLOAD_BYTES = 7000;

export interface Notifier {
  /** Schedules a notification for a goal with new events; returns at once. */
  touched(goalId: string): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Coalesces notifications of all goals of this process. Readers find lost ones by polling. */
export function createNotifier(db: Database): Notifier {
  const dirty = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let sending = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      sending = sending.then(send);
    }, INTERVAL_MS);
    timer.unref();
  }

  async function send(): Promise<void> {
    const payload = takePayload(dirty);
    if (payload === '') return;
    if (dirty.size > 0) schedule();
    await db`SELECT pg_notify(${EVENTS_CHANNEL}, ${payload})`.catch(() => undefined);
  }

  return {
    touched(goalId) {
      dirty.add(goalId);
      schedule();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      await sending;
      while (dirty.size > 0) await send();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function takePayload(dirty: Set<string>): string {
  let payload = '';
  for (const goalId of dirty) {
    const longer = payload === '' ? goalId : `${payload},${goalId}`;
    if (Buffer.byteLength(longer) > PAYLOAD_BYTES) break;
    payload = longer;
    dirty.delete(goalId);
  }
  return payload;
}

/** Notifies without delay, so that a pause aborts a running model call at once. */
export async function notifyCancel(db: Database, goalId: string): Promise<void> {
  await db`SELECT pg_notify(${CANCEL_CHANNEL}, ${goalId})`.catch(() => undefined);
}
