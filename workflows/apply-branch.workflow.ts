import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities, WorkspaceActivities } from '../activities/index.ts';
import type { AppliedBranch } from '../schema/applied-branch.ts';
import { APPLY_PATIENCE_SECONDS, APPLY_SECONDS, type ApplyRef } from '../src/contract/applies.ts';
import { ORDER_REFUSED, REFUSAL } from '../src/contract/failure-types.ts';

const nonRetryableErrorTypes = [REFUSAL, ORDER_REFUSED];

/**
 * Brings a goal's branch into its workspace, on that host. Every part is found done or is done
 * again, so a worker's death is followed by another try.
 */
export async function applyBranchWorkflow(ref: ApplyRef): Promise<AppliedBranch> {
  const { findApply } = proxyActivities<Pick<SharedActivities, 'findApply'>>({
    scheduleToCloseTimeout: `${APPLY_PATIENCE_SECONDS} s`,
    retry: { nonRetryableErrorTypes },
  });
  const { taskQueue } = await findApply(ref);
  const { applyBranch } = proxyActivities<Pick<WorkspaceActivities, 'applyBranch'>>({
    taskQueue,
    scheduleToStartTimeout: `${APPLY_PATIENCE_SECONDS} s`,
    scheduleToCloseTimeout: `${APPLY_SECONDS} s`,
    heartbeatTimeout: '10 s',
    retry: { maximumAttempts: 5, nonRetryableErrorTypes },
  });
  return applyBranch(ref);
}
