import type { RunningSlices } from '../contract/running-slices.ts';

/** Lets a notification from Postgres reach the slices of this process at once. */
export function createRunningSlices(): RunningSlices & { count(): number; cancelAll(): void } {
  const controllers = new Map<string, Set<AbortController>>();
  return {
    enter(goalId, parent) {
      const controller = new AbortController();
      const own = controllers.get(goalId) ?? new Set();
      controllers.set(goalId, own.add(controller));
      const abort = () => controller.abort();
      parent.addEventListener('abort', abort, { once: true });
      if (parent.aborted) abort();
      return {
        signal: controller.signal,
        leave() {
          parent.removeEventListener('abort', abort);
          own.delete(controller);
          if (own.size === 0 && controllers.get(goalId) === own) controllers.delete(goalId);
        },
      };
    },
    count: () => [...controllers.values()].reduce((sum, own) => sum + own.size, 0),
    cancelAll() {
      for (const own of controllers.values()) for (const controller of own) controller.abort();
    },
    cancel(goalId) {
      for (const controller of controllers.get(goalId) ?? []) controller.abort();
    },
  };
}
