/** What measures the time of a slice: monotonic milliseconds. */
export interface Clocked {
  readonly ports: { readonly clock: () => number };
  readonly startedAt: number;
  /** Slept between tries, which is no time at work. */
  readonly sleptMs: number;
}

/** Time at work in this slice, milliseconds. */
export const elapsedMs = (run: Clocked): number =>
  Math.max(0, run.ports.clock() - run.startedAt - run.sleptMs);
