import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import type { Principal } from '../../schema/role.ts';
import {
  APPLY_PATIENCE_SECONDS,
  APPLY_SECONDS,
  type AppliesPort,
  type ApplyRef,
} from '../contract/applies.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { applyWorkflowIdOf } from './names.ts';
import { refusalOfWorkflow } from './workflow-refusal.ts';

const LONGEST_SECONDS = APPLY_PATIENCE_SECONDS + APPLY_SECONDS + 30;

interface Orders {
  place(ref: ApplyRef, principal: Principal): Promise<void>;
  answer(ref: ApplyRef, answer: object): Promise<void>;
}

/** Who asks again under the same key waits for the same run, or gets what it answered. */
export function createAppliesOfPeople(
  client: Client,
  queues: TaskQueues,
  orders: Orders,
): AppliesPort {
  return {
    async apply({ principal, goalId, commitId }) {
      const ref = { goalId, commitId };
      await orders.place(ref, principal);
      const applied = await run(client, queues, ref).catch((error: unknown) => {
        const what = `No worker of the workspace answered in time. What was begun is ended by the next one: look at the workspace, and try again.`;
        throw refusalOfWorkflow(error, what);
      });
      await orders.answer(ref, applied);
      return applied;
    },
  };
}

async function run(client: Client, queues: TaskQueues, ref: ApplyRef): Promise<AppliedBranch> {
  const workflowId = applyWorkflowIdOf(ref.commitId);
  try {
    return (await client.workflow.execute('applyBranchWorkflow', {
      workflowId,
      taskQueue: queues.goals,
      args: [ref],
      workflowExecutionTimeout: `${LONGEST_SECONDS} s`,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      staticSummary: `the branch of ${ref.goalId}, into its workspace`,
    })) as AppliedBranch;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return (await client.workflow.getHandle(workflowId).result()) as AppliedBranch;
  }
}
