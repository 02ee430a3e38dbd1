import type { Database } from '../../src/store/client.ts';
import { EVENTS_CHANNEL } from '../../src/store/notices/notifier.ts';

/** Not every change is notified of, and a notification can get lost. */
const LOOK_ANYWAY_MS = 200;

export interface GoalChanges {
  /** Settles once something about the goal may have changed since the call. */
  changed(goalId: string): Promise<void>;
}

/** Asking every 25 ms took more of the processor than the goals that were asked about. */
export function watchGoals(database: Database): GoalChanges {
  const waiting = new Map<string, Set<() => void>>();
  const notify = (goalIds: string) => {
    for (const goalId of goalIds.split(',')) {
      for (const wake of waiting.get(goalId) ?? []) wake();
    }
  };
  const opened = database.listen(EVENTS_CHANNEL, notify).catch(() => undefined);
  return {
    async changed(goalId) {
      await opened;
      const waiters = waiting.get(goalId) ?? new Set();
      waiting.set(goalId, waiters);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiters.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, LOOK_ANYWAY_MS);
        waiters.add(wake);
      });
    },
  };
}
