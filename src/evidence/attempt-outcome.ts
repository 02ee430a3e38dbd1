import type { CommandCriterion } from '../../schema/criteria.ts';
import type { CheckRun } from './run-check.ts';

export interface Attempts {
  readonly last: CheckRun;
  readonly reason: string;
  /** Every run, also those that failed before one held. */
  readonly receipts: readonly number[];
  /** What a model can do about a check that changes its mind. */
  readonly remedy?: string;
}

export interface Runnable {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
}
