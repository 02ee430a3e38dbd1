/** What Temporal tries again and again for a goal. */
export interface Trouble {
  /** `workflow`, or the name of an activity. */
  readonly task: string;
  readonly attempts: number;
  /** What it failed with last, in the words of whoever failed. */
  readonly failure: string;
}

export interface StuckRun extends Trouble {
  /** When it was seen first. */
  readonly since: string;
  /** Of the worker that began the run; null = nobody kept it. */
  readonly version: string | null;
}
