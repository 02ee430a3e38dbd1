/** Clock of a slice: monotonic milliseconds. */
export interface Clocked {
  readonly ports: { readonly clock: () => number };
  readonly startedAt: number;
  /** Time slept between retries, which isn't active time. */
  readonly sleptMs: number;
}

/** Time at work in this slice, milliseconds. */
export const elapsedMs = (run: Clocked): number =>
  Math.max(0, run.ports.clock() - run.startedAt - run.sleptMs);
