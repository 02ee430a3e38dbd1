import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { GoalEpoch } from '../contract/histories.ts';
import type { Trouble } from '../contract/stuck-run.ts';
import { workflowIdOf } from './names.ts';
import { openEvents, openFailure } from './open-events.ts';

type Described = Pick<
  WorkflowExecutionDescription['raw'],
  'pendingWorkflowTask' | 'pendingActivities'
>;

/** A worker that died, or is being replaced, costs a task one try or two. */
const WORKFLOW_TRIES = 3;
const ACTIVITY_TRIES = 5;

interface Failing {
  readonly task: string;
  readonly attempts: number;
  /** Null where the history alone tells what failed. */
  readonly activity: NonNullable<Described['pendingActivities']>[number] | null;
}

/** What is tried again and again; null = nothing is. */
export function failingTask({ pendingWorkflowTask, pendingActivities }: Described): Failing | null {
  const attempts = pendingWorkflowTask?.attempt ?? 0;
  if (attempts >= WORKFLOW_TRIES) return { task: 'workflow', attempts, activity: null };
  const failing = pendingActivities?.find(
    ({ attempt, lastFailure }) => (attempt ?? 0) >= ACTIVITY_TRIES && lastFailure != null,
  );
  if (failing === undefined) return null;
  const task = failing.activityType?.name || 'an activity';
  return { task, attempts: failing.attempt ?? 0, activity: failing };
}

/** The same with the words of what failed last. */
export async function troubleOf(
  client: Client,
  goal: GoalEpoch,
  described: Described,
): Promise<Trouble | null> {
  const failing = failingTask(described);
  if (failing === null) return null;
  const { task, attempts, activity } = failing;
  if (activity === null) return { task, attempts, failure: await lastTaskFailure(client, goal) };
  await openFailure(client, goal, activity.lastFailure, activity.activityId ?? '');
  return { task, attempts, failure: activity.lastFailure?.message ?? '' };
}

/** Only the first failure of a task is an event; its tries leave none. */
const EVENTS_BEHIND = 10;

async function lastTaskFailure(client: Client, goal: GoalEpoch): Promise<string> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: workflowIdOf(goal.goalId, goal.epoch) },
    maximumPageSize: EVENTS_BEHIND,
  });
  const events = await openEvents(client, goal, history?.events ?? []);
  const failed = events.find((event) => event.workflowTaskFailedEventAttributes != null);
  return failed?.workflowTaskFailedEventAttributes?.failure?.message ?? '';
}
