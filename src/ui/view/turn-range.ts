export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Whether a turn ran at any moment of the range; one that is open runs until now. */
export const ranWithin =
  ({ from, to }: TimeRange, now = Date.now()) =>
  (turn: { readonly startedAt: string; readonly settledAt: string | null }): boolean =>
    (turn.settledAt === null ? now : Date.parse(turn.settledAt)) >= from &&
    Date.parse(turn.startedAt) <= to;
