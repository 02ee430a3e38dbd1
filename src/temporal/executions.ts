import {
  ActivityNotFoundError,
  type Client,
  isGrpcServiceError,
  type WorkflowExecutionStatusName,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { eventSignal, familySignal, workspaceFreeSignal } from '../../workflows/goal.contract.ts';
import type { GoalEpoch } from '../contract/histories.ts';
import type { Trouble } from '../contract/stuck-run.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { workflowIdOf } from './names.ts';
import { startGoal } from './start-goal.ts';
import { troubleOf } from './trouble.ts';

export interface SeenExecution {
  readonly runId: string;
  readonly status: WorkflowExecutionStatusName;
  /** Where its workflow tasks are. */
  readonly taskQueue: string;
  /** Activities that workers are running, as far as the server knows. */
  readonly running: readonly { readonly activityId: string; readonly workerId: string }[];
  /** What the server tries again and again; null = nothing. */
  readonly trouble: Trouble | null;
}

/**
 * Calls to Temporal by workers and the reconciler. An execution that is over is a result, not an
 * error; all other failures are thrown, so that an absent server decides nothing.
 */
export interface ExecutionsPort {
  /** Starts the execution, unless it runs already. */
  start(goal: GoalEpoch): Promise<void>;
  /** The newest run unless `runId` names one; null when the server knows none. */
  describe(goal: GoalEpoch, runId?: string): Promise<SeenExecution | null>;
  end(goal: GoalEpoch, reason: string): Promise<void>;
  /** Without this, the next workflow task would go to a dead worker's sticky queue first. */
  forgetCache(goal: GoalEpoch): Promise<void>;
  failActivity(goal: GoalEpoch, activityId: string, reason: string): Promise<void>;
  /** Notifies the first goal in line that its workspace may be free, unless that goal is over. */
  notifyWorkspaceFree(goal: GoalEpoch): Promise<void>;
  /** Notifies the goal that its parent or a delegate has something for it. */
  notifyDelegation(goal: GoalEpoch): Promise<void>;
  /** Notifies the goal that an event came which it waits for. */
  notifyEvent(goal: GoalEpoch): Promise<void>;
}

export function createExecutions(client: Client, queues: TaskQueues): ExecutionsPort {
  const handleOf = ({ goalId, epoch }: GoalEpoch) =>
    client.workflow.getHandle(workflowIdOf(goalId, epoch));
  return {
    start: (goal) => startGoal(client, queues, goal),
    describe: (goal, runId) => describe(client, goal, runId),
    end: (goal, reason) => unlessOver(handleOf(goal).terminate(reason)),
    forgetCache: ({ goalId, epoch }) =>
      unlessOver(
        client.workflowService.resetStickyTaskQueue({
          namespace: client.options.namespace,
          execution: { workflowId: workflowIdOf(goalId, epoch) },
        }),
      ),
    failActivity: ({ goalId, epoch }, activityId, reason) =>
      unlessOver(
        client.activity.fail(
          { workflowId: workflowIdOf(goalId, epoch), activityId },
          new Error(reason),
        ),
      ),
    notifyWorkspaceFree: (goal) =>
      unlessOver(handleOf(goal).signal(workspaceFreeSignal, goal.goalId)),
    notifyDelegation: (goal) => unlessOver(handleOf(goal).signal(familySignal, goal.goalId)),
    notifyEvent: (goal) => unlessOver(handleOf(goal).signal(eventSignal, goal.goalId)),
  };
}

/** The server's state of an activity that a worker has taken. */
const STARTED = 2;

async function describe(
  client: Client,
  goal: GoalEpoch,
  named?: string,
): Promise<SeenExecution | null> {
  const handle = client.workflow.getHandle(workflowIdOf(goal.goalId, goal.epoch), named);
  try {
    const { runId, status, taskQueue, raw } = await handle.describe();
    const running = (raw.pendingActivities ?? [])
      .filter(({ state }) => state === STARTED)
      .map(({ activityId, lastWorkerIdentity }) => ({
        activityId: activityId ?? '',
        workerId: lastWorkerIdentity ?? '',
      }));
    const trouble = await troubleOf(client, goal, raw);
    return { runId, status: status.name, taskQueue, running, trouble };
  } catch (error) {
    if (isOver(error)) return null;
    throw error;
  }
}

async function unlessOver(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isOver(error)) throw error;
  });
}

const NOT_FOUND = 5;

/** Some calls report it only by the server's gRPC status. */
const isOver = (error: unknown): boolean =>
  error instanceof WorkflowNotFoundError ||
  error instanceof ActivityNotFoundError ||
  (isGrpcServiceError(error) && error.code === NOT_FOUND);
