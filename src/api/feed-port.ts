import type { OutputPiece } from '../db/live-output.ts';

/**
 * Tells when a goal has new events. A doorbell only: the events come from Postgres, so a lost or
 * doubled ring harms nothing.
 */
export interface FeedPort {
  /** @returns unsubscribe */
  subscribe(goalId: string, onEvents: () => void): () => void;
  /** @returns unsubscribe */
  /** What running commands of the goal print; nothing waits for it and nothing repeats it. */
  subscribeOutput(goalId: string, onOutput: (piece: OutputPiece) => void): () => void;
  /** @returns unsubscribe */
  subscribeAll(onEvents: (goalIds: readonly string[]) => void): () => void;
}

/** Where no listener is composed: streams then go by their poll alone. */
export const silentFeed: FeedPort = {
  subscribe: () => () => undefined,
  subscribeOutput: () => () => undefined,
  subscribeAll: () => () => undefined,
};
