import type { SecurityRefusal } from './refused-payload.ts';

/** What Temporal was used for without the service's keys, in the record of the goal it was meant for. */
export interface SecurityPort {
  /** A goal that doesn't exist has no record: then the log alone tells. */
  refused(goalId: string, refusal: Omit<SecurityRefusal, 'workflowId'>): Promise<void>;
}
