import type { OutputPiece, TextPiece } from './live.ts';

/**
 * Notifies subscribers that a goal has new events. The events themselves come from Postgres, so a
 * lost or doubled notification does no harm.
 */
export interface FeedPort {
  /** @returns unsubscribe */
  subscribe(goalId: string, onEvents: () => void): () => void;
  /**
   * Output of the goal's running commands, at most once: nothing waits for it or repeats it.
   * @returns unsubscribe
   */
  subscribeOutput(goalId: string, onOutput: (piece: OutputPiece) => void): () => void;
  /**
   * Text of the goal's model while it is generated, at most once: nothing is stored or repeated.
   * @returns unsubscribe
   */
  subscribeText(goalId: string, onText: (piece: TextPiece) => void): () => void;
  /**
   * Calls when the principal's token was revoked, or may have been.
   * @returns unsubscribe
   */
  subscribeRevoked(name: string, onRevoked: () => void): () => void;
  /** @returns unsubscribe */
  subscribeAll(onEvents: (goalIds: readonly string[]) => void): () => void;
}

/** A feed without a listener: streams rely on polling alone. */
export const silentFeed: FeedPort = {
  subscribe: () => () => undefined,
  subscribeOutput: () => () => undefined,
  subscribeText: () => () => undefined,
  subscribeRevoked: () => () => undefined,
  subscribeAll: () => () => undefined,
};
