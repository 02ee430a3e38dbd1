import type { Goal } from '../../../schema/goal.ts';
import type { ProgressEvent } from '../progress.ts';

/** Where what a goal does is shown: lines one after another, or a screen with a foot. */
export interface Progress {
  hear(event: ProgressEvent): void;
  /** What is told once and never again. */
  hearPassing(event: ProgressEvent): void;
  caughtUp(goal: Goal): void;
  away(): void;
  /** A person or a worker is waited for, and by which command they act. */
  awaits(text: string): void;
  /** What a goal rests on can be answered here: it is not left. */
  staysFor?(goal: Goal): boolean;
  /** Resolves when all that was heard up to now is shown. */
  told(): Promise<void>;
  close(): void;
}
