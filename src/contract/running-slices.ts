export interface RunningSlices {
  /** The returned signal aborts when the goal is cancelled or `parent` aborts. */
  enter(goalId: string, parent: AbortSignal): { signal: AbortSignal; leave(): void };
  cancel(goalId: string): void;
}
