/** A run of a goal's workflow. */
export interface GoalRun extends GoalEpoch {
  readonly runId: string;
}

/** One event of a run, reduced to what people read. */
export interface SeenEvent {
  readonly eventId: number;
  readonly type: string;
  readonly at: string;
  readonly about: string;
  /** The turn named in the event; most events name none and belong to the turn before them. */
  readonly turn: number | null;
  /** The thing that it scheduled, or the event that scheduled its subject. */
  readonly activity: string | null;
  readonly scheduledBy: number | null;
}

/** Temporal's history of a goal's runs. */
export interface HistoriesPort {
  /**
   * From the newest event backwards, page by page, for as long as the caller asks.
   * @throws HistoryExpired, HistoryAway
   */
  backwards(run: GoalRun): AsyncIterable<readonly SeenEvent[]>;
}

/** Names a goal's workflow: every replacement of its execution raises the epoch. */
export interface GoalEpoch {
  readonly goalId: string;
  readonly epoch: number;
}
