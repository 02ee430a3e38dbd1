import { proxyActivities } from '@temporalio/workflow';
import type { WorkspaceActivities } from '../activities/index.ts';
import type { CheckResult } from '../schema/estimate.ts';
import {
  CHECK_PATIENCE_SECONDS,
  CHECK_SECONDS,
  type CheckOrder,
} from '../src/contract/check-order.ts';
import { REFUSAL } from '../src/contract/failure-types.ts';

/** Once, on the host of the workspace: what ran half is told, never repeated. */
export async function tryCheckWorkflow(order: CheckOrder): Promise<CheckResult> {
  const { tryCheck } = proxyActivities<WorkspaceActivities>({
    taskQueue: order.taskQueue,
    scheduleToStartTimeout: `${CHECK_PATIENCE_SECONDS} s`,
    // It ends by itself before this.
    startToCloseTimeout: `${CHECK_SECONDS + 20} s`,
    heartbeatTimeout: '10 s',
    retry: { maximumAttempts: 1, nonRetryableErrorTypes: [REFUSAL] },
  });
  return tryCheck(order);
}
