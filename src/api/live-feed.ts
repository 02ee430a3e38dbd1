import type { FeedPort } from '../contract/feed.ts';
import type { OutputPiece, TextPiece } from '../contract/live.ts';

export interface LiveFeed extends FeedPort {
  /** Called by the listener with the goals that have new events. */
  readonly notify: (goalIds: readonly string[]) => void;
  /** Notifies every subscriber, because the listener was away and may have missed notifications. */
  readonly notifyAll: () => void;
  readonly revoked: (name: string) => void;
  readonly print: (piece: OutputPiece) => void;
  readonly say: (piece: TextPiece) => void;
}

/** Hands the database's notifications to the open streams of this process. */
export function createLiveFeed(
  /** Tells the workers that a goal's text has a reader; returns a function that takes it back. */
  watch: (goalId: string) => () => void = () => () => undefined,
): LiveFeed {
  const byGoal = new Map<string, Set<() => void>>();
  const ofOutput = new Set<{ goalId: string; onOutput: (piece: OutputPiece) => void }>();
  const ofText = new Set<{ goalId: string; onText: (piece: TextPiece) => void }>();
  const ofTokens = new Set<{ name: string; onRevoked: () => void }>();
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
    subscribeOutput(goalId, onOutput) {
      const listener = { goalId, onOutput };
      ofOutput.add(listener);
      return () => void ofOutput.delete(listener);
    },
    subscribeText(goalId, onText) {
      const listener = { goalId, onText };
      ofText.add(listener);
      const leave = watch(goalId);
      return () => {
        ofText.delete(listener);
        leave();
      };
    },
    subscribeRevoked(name, onRevoked) {
      const listener = { name, onRevoked };
      ofTokens.add(listener);
      return () => void ofTokens.delete(listener);
    },
    subscribeAll(onEvents) {
      ofAll.add(onEvents);
      return () => void ofAll.delete(onEvents);
    },
    notify(goalIds) {
      for (const goalId of goalIds) for (const onEvents of byGoal.get(goalId) ?? []) onEvents();
      for (const onEvents of ofAll) onEvents(goalIds);
    },
    revoked(name) {
      for (const listener of ofTokens) if (listener.name === name) listener.onRevoked();
    },
    print(piece) {
      for (const { goalId, onOutput } of ofOutput) if (goalId === piece.goalId) onOutput(piece);
    },
    say(piece) {
      for (const { goalId, onText } of ofText) if (goalId === piece.goalId) onText(piece);
    },
    notifyAll() {
      for (const listeners of byGoal.values()) for (const onEvents of listeners) onEvents();
      for (const onEvents of ofAll) onEvents([]);
      for (const { onRevoked } of ofTokens) onRevoked();
    },
  };
}
