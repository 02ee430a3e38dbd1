import type { CommandCriterion } from '../../schema/criteria.ts';
import type { CheckRun } from './run-check.ts';

export interface Attempts {
  readonly last: CheckRun;
  readonly reason: string;
  /** Receipts of every run, including those that failed before one passed. */
  readonly receipts: readonly number[];
  /** Advice for the model about a flaky check. */
  readonly remedy?: string;
}

export interface Runnable {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
}
