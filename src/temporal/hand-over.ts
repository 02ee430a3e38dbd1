import {
  ActivityNotFoundError,
  type Client,
  isGrpcServiceError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { workflowIdOf } from './names.ts';

/** Where a dead worker's attempts were: from the record. */
export interface HeldGoals {
  heldBy(workerId: string): Promise<readonly { goalId: string; epoch: number }[]>;
}

/** What the server shows of a running activity that nobody heartbeats any more. */
const STARTED = 2;

/**
 * Fails what a dead worker was running, so that its retry starts at once instead of after the
 * heartbeat timeout. An activity that ended meanwhile, or runs elsewhere, is left alone.
 */
export async function handOver(client: Client, held: HeldGoals, workerId: string): Promise<number> {
  const goals = await held.heldBy(workerId);
  const handed = await Promise.all(goals.map((goal) => failActivities(client, goal, workerId)));
  return handed.reduce((sum, count) => sum + count, 0);
}

async function failActivities(
  client: Client,
  { goalId, epoch }: { goalId: string; epoch: number },
  workerId: string,
): Promise<number> {
  const workflowId = workflowIdOf(goalId, epoch);
  try {
    await forgetCache(client, workflowId);
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const orphaned = (raw.pendingActivities ?? []).filter(
      (activity) => activity.state === STARTED && activity.lastWorkerIdentity === workerId,
    );
    for (const { activityId } of orphaned) {
      await client.activity.fail(
        { workflowId, activityId: activityId ?? '' },
        new Error('the worker died'),
      );
    }
    return orphaned.length;
  } catch (error) {
    if (isOver(error)) return 0;
    throw error;
  }
}

const NOT_FOUND = 5;

/** It ended meanwhile; some calls say so by the bare status of the server. */
const isOver = (error: unknown): boolean =>
  error instanceof WorkflowNotFoundError ||
  error instanceof ActivityNotFoundError ||
  (isGrpcServiceError(error) && error.code === NOT_FOUND);

/** The goal's next workflow task would wait for the dead worker's own queue first. */
async function forgetCache(client: Client, workflowId: string): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId } });
}
