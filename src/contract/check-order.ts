import type { Criterion } from '../../schema/criteria.ts';
import type { Network } from '../../schema/network.ts';
import type { Principal } from '../../schema/role.ts';

/** A criterion that somebody wants to see, before any goal has it. */
export interface CheckOrder {
  readonly checkId: string;
  readonly workspace: string;
  /** Where the workspace is. */
  readonly host: string;
  readonly criterion: Criterion;
  readonly network: Network;
}

/** Checks that the service's own API was asked for; Temporal is told an id alone. */
export interface CheckOrders {
  place(order: CheckOrder, principal: Principal): Promise<void>;
  /**
   * The queue that serves it.
   * @throws OrderRefused
   */
  queueOf(checkId: string): Promise<string>;
  /**
   * Each order is taken once, on its host.
   * @throws OrderRefused
   */
  take(checkId: string, host: string): Promise<CheckOrder>;
}

/** Seconds that a check may run on its worker, and that it may wait for a worker. */
export const CHECK_SECONDS = 120;
export const CHECK_PATIENCE_SECONDS = 10;
