import type { CallStops, StoppableCall, StoppableCalls } from '../contract/call-stops.ts';

interface Running {
  readonly goalId: string;
  readonly callId: string;
  readonly controller: AbortController;
  by: string | null;
}

/** Lets a person's order, which is a row, reach the one call of this process that it is about. */
export function createStoppableCalls({ askedBy }: CallStops): StoppableCalls {
  const running = new Set<Running>();
  const lookAt = async (one: Running): Promise<void> => {
    const by = await askedBy(one.goalId, one.callId);
    if (by === null || one.controller.signal.aborted) return;
    one.by = by;
    one.controller.abort();
  };
  const lookAtEach = async (which: (one: Running) => boolean): Promise<void> => {
    await Promise.all([...running].filter(which).map(lookAt));
  };
  return {
    askedBy,
    enter(goalId, callId): StoppableCall {
      const one: Running = { goalId, callId, controller: new AbortController(), by: null };
      running.add(one);
      return {
        signal: one.controller.signal,
        stoppedBy: () => one.by,
        leave: () => void running.delete(one),
      };
    },
    look: (goalId, callId) => lookAtEach((one) => one.goalId === goalId && one.callId === callId),
    lookAtAll: () => lookAtEach(() => true),
  };
}
