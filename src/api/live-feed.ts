import type { FeedPort } from './feed-port.ts';

export interface LiveFeed extends FeedPort {
  /** Called by the listener with the goals that have new events. */
  readonly ring: (goalIds: readonly string[]) => void;
  /** The listener was away and may have missed some: everyone looks. */
  readonly ringAll: () => void;
}

/** Hands the database's notifications to the open streams of this process. */
export function createLiveFeed(): LiveFeed {
  const byGoal = new Map<string, Set<() => void>>();
  const ofAll = new Set<(goalIds: readonly string[]) => void>();
  return {
    subscribe(goalId, onEvents) {
      const listeners = byGoal.get(goalId) ?? new Set();
      byGoal.set(goalId, listeners.add(onEvents));
      return () => {
        listeners.delete(onEvents);
        if (listeners.size === 0 && byGoal.get(goalId) === listeners) byGoal.delete(goalId);
      };
    },
    subscribeAll(onEvents) {
      ofAll.add(onEvents);
      return () => void ofAll.delete(onEvents);
    },
    ring(goalIds) {
      for (const goalId of goalIds) for (const onEvents of byGoal.get(goalId) ?? []) onEvents();
      for (const onEvents of ofAll) onEvents(goalIds);
    },
    ringAll() {
      for (const listeners of byGoal.values()) for (const onEvents of listeners) onEvents();
      for (const onEvents of ofAll) onEvents([]);
    },
  };
}
