import type { OutputPiece, TextPiece } from './live.ts';

/**
 * Tells when a goal has new events. A doorbell only: the events come from Postgres, so a lost or
 * doubled ring harms nothing.
 */
export interface FeedPort {
  /** @returns unsubscribe */
  subscribe(goalId: string, onEvents: () => void): () => void;
  /**
   * What running commands of the goal print; nothing waits for it and nothing repeats it.
   * @returns unsubscribe
   */
  subscribeOutput(goalId: string, onOutput: (piece: OutputPiece) => void): () => void;
  /**
   * What the goal's model says while it says it; nothing is stored, and what is missed is missed.
   * @returns unsubscribe
   */
  subscribeText(goalId: string, onText: (piece: TextPiece) => void): () => void;
  /** @returns unsubscribe */
  subscribeAll(onEvents: (goalIds: readonly string[]) => void): () => void;
}

/** Where no listener is composed: streams then go by their poll alone. */
export const silentFeed: FeedPort = {
  subscribe: () => () => undefined,
  subscribeOutput: () => () => undefined,
  subscribeText: () => () => undefined,
  subscribeAll: () => () => undefined,
};
