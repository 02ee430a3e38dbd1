import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities, WorkspaceActivities } from '../activities/index.ts';
import type { CheckResult } from '../schema/estimate.ts';
import { CHECK_PATIENCE_SECONDS, CHECK_SECONDS } from '../src/contract/check-order.ts';
import { ORDER_REFUSED, REFUSAL } from '../src/contract/failure-types.ts';

/** What starts from before orders carried; it runs nothing any more. */
interface FormerCheck {
  readonly checkId: string;
  readonly taskQueue: string;
}

const nonRetryableErrorTypes = [REFUSAL, ORDER_REFUSED];

/**
 * Runs an ordered check once, on the workspace's host; a half-finished check is reported, never
 * repeated.
 */
export async function tryCheckWorkflow(check: string | FormerCheck): Promise<CheckResult> {
  const { findCheck } = proxyActivities<Pick<SharedActivities, 'findCheck'>>({
    scheduleToCloseTimeout: `${CHECK_PATIENCE_SECONDS} s`,
    retry: { nonRetryableErrorTypes },
  });
  const isFormer = typeof check !== 'string';
  const { taskQueue } = isFormer ? check : await findCheck(check);
  const { tryCheck } = proxyActivities<WorkspaceActivities>({
    taskQueue,
    scheduleToStartTimeout: `${CHECK_PATIENCE_SECONDS} s`,
    // The check ends by itself before this timeout.
    startToCloseTimeout: `${CHECK_SECONDS + 20} s`,
    heartbeatTimeout: '10 s',
    retry: { maximumAttempts: 1, nonRetryableErrorTypes },
  });
  return tryCheck(isFormer ? check.checkId : check);
}
