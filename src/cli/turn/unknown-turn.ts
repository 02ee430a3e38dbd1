/** The goal has no such turn; the nearest one that it has may be meant. */
export class UnknownTurn extends Error {
  readonly field = 'turn';
  /** Null where the goal has no turn yet. */
  readonly nearest: number | null;
  readonly wayOut: string;

  constructor(goalId: string, turn: number, nearest: number | null) {
    super(
      nearest === null
        ? `${goalId} has no turn yet.`
        : `${goalId} has no turn ${turn}; the nearest is ${nearest}.`,
    );
    this.name = 'UnknownTurn';
    this.nearest = nearest;
    this.wayOut =
      nearest === null
        ? `"goalkeeper watch ${goalId}" follows it.`
        : `Give --turn ${nearest}, or see "goalkeeper show ${goalId} --turns".`;
  }
}
