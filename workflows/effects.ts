import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities, WorkspaceActivities } from '../activities/index.ts';
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
