import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { CarryOver } from '../../workflows/goal.contract.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { DEFAULT_MAX_EVENTS, workflowIdOf } from './names.ts';

/**
 * Starts the execution of an epoch, unless it runs. An execution that ended before it took the goal
 * is started again: the record admits a second one only if no run ever held the goal.
 */
export async function startGoal(
  client: Client,
  queues: TaskQueues,
  { goalId, epoch }: { goalId: string; epoch: number },
  maxEvents = DEFAULT_MAX_EVENTS,
): Promise<void> {
  const { installation } = queues;
  const first = { previousRunId: null, providerRetries: 0 };
  const carry: CarryOver = { goalId, epoch, installation, ...first, maxEvents };
  try {
    await client.workflow.start('goalWorkflow', {
      workflowId: workflowIdOf(goalId, epoch),
      taskQueue: queues.goals,
      args: [carry],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowTaskTimeout: '5 s',
      staticSummary: `goal ${goalId}, epoch ${epoch}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
