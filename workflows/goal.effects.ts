import {
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { SharedActivities, WorkspaceActivities } from '../activities/index.ts';
import {
  COME_AGAIN,
  REFUSAL,
  type RefusalDetails,
  SUPERSEDED,
} from '../src/contract/failure-types.ts';
import { Refusal } from '../src/contract/failures.ts';
import {
  commitOptions,
  confirmOptions,
  pollOptions,
  probeOptions,
  rewindOptions,
  SLICE_PATIENCE,
  sliceOptions,
} from './activity-options.ts';

/** Commits run on the workflow's own queue; turns only where the files are. */
export function goalEffects(taskQueue: string) {
  return {
    commit: proxyActivities<SharedActivities>(commitOptions),
    workspace: proxyActivities<WorkspaceActivities>({
      ...sliceOptions,
      taskQueue,
      scheduleToStartTimeout: SLICE_PATIENCE,
    }),
    /** Waits for a worker as long as it takes. */
    gate: proxyActivities<Pick<WorkspaceActivities, 'checkEvidence'>>({
      ...sliceOptions,
      taskQueue,
    }),
    confirm: proxyActivities<Pick<WorkspaceActivities, 'confirmEvidence'>>({
      ...confirmOptions,
      taskQueue,
    }),
    /** Looks whether there is something to rewind to, and somebody to do it. */
    rewinds: proxyActivities<Pick<WorkspaceActivities, 'lookAtRewind'>>({
      ...confirmOptions,
      taskQueue,
    }),
    poll: proxyActivities<Pick<WorkspaceActivities, 'lookForWait'>>({
      ...pollOptions,
      taskQueue,
    }),
    rewinding: proxyActivities<Pick<WorkspaceActivities, 'rewindWorkspace'>>({
      ...rewindOptions,
      taskQueue,
    }),
    probe: proxyActivities<Pick<WorkspaceActivities, 'greet'>>({ ...probeOptions, taskQueue }),
  };
}

export type GoalEffects = ReturnType<typeof goalEffects>;

const causeOf = (error: unknown): unknown =>
  error instanceof ActivityFailure ? error.cause : error;

const hasType = (error: unknown, type: string): boolean => {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === type;
};

export const isSuperseded = (error: unknown): boolean => hasType(error, SUPERSEDED);

/** True when no worker picked the task up. */
export function isUnserved(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** What an update is turned away with that the next run takes. */
export const comeAgain = (): ApplicationFailure =>
  ApplicationFailure.create({
    message: 'the next run takes it',
    type: COME_AGAIN,
    nonRetryable: true,
  });

/** What an update may fail with: anything else would fail the workflow task. */
export function toUpdateFailure(error: unknown): ApplicationFailure {
  const cause = causeOf(error);
  if (cause instanceof ApplicationFailure) {
    return ApplicationFailure.create({
      message: cause.message,
      type: cause.type ?? REFUSAL,
      nonRetryable: true,
      details: cause.details ?? [],
    });
  }
  if (cause instanceof Refusal) {
    const details: RefusalDetails = { code: cause.code, detail: cause.message, data: cause.data };
    return ApplicationFailure.create({
      message: cause.message,
      type: REFUSAL,
      nonRetryable: true,
      details: [details],
    });
  }
  return ApplicationFailure.create({
    message: String(cause),
    type: 'Internal',
    nonRetryable: true,
  });
}
