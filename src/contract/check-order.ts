import type { Criterion } from '../../schema/criteria.ts';

/** A criterion that somebody wants to see, before any goal has it. */
export interface CheckOrder {
  readonly checkId: string;
  readonly workspace: string;
  /** The queue of the workspace's host. */
  readonly taskQueue: string;
  readonly criterion: Criterion;
  readonly network: 'none' | 'host';
}

/** Seconds that a check may run on its worker, and that it may wait for a worker. */
export const CHECK_SECONDS = 120;
export const CHECK_PATIENCE_SECONDS = 10;
