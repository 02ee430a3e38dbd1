import type { SecurityRefusal } from './refused-payload.ts';

/** What Temporal was used for without the service's keys or an order, in the record. */
export interface SecurityPort {
  /**
   * @param goalId null = it was meant for no goal: a check, a branch that is brought in, an alarm. Then,
   *   and where the goal doesn't exist, the security log alone tells.
   */
  refused(goalId: string | null, refusal: SecurityRefusal): Promise<void>;
}
