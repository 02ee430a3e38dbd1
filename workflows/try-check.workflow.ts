import { proxyActivities } from '@temporalio/workflow';
import type { WorkspaceActivities } from '../activities/index.ts';
import type { CheckResult } from '../schema/estimate.ts';
import {
  CHECK_PATIENCE_SECONDS,
  CHECK_SECONDS,
  type CheckOrder,
} from '../src/contract/check-order.ts';
import { REFUSAL } from '../src/contract/failure-types.ts';

/**
 * Runs a check once, on the workspace's host; a half-finished check is reported, never repeated.
 */
export async function tryCheckWorkflow(order: CheckOrder): Promise<CheckResult> {
  const { tryCheck } = proxyActivities<WorkspaceActivities>({
    taskQueue: order.taskQueue,
    scheduleToStartTimeout: `${CHECK_PATIENCE_SECONDS} s`,
    // The check ends by itself before this timeout.
    startToCloseTimeout: `${CHECK_SECONDS + 20} s`,
    heartbeatTimeout: '10 s',
    retry: { maximumAttempts: 1, nonRetryableErrorTypes: [REFUSAL] },
  });
  return tryCheck(order);
}
