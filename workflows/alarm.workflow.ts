import {
  ApplicationFailure,
  proxyActivities,
  proxySinks,
  workflowInfo,
} from '@temporalio/workflow';
import type { SharedActivities } from '../activities/index.ts';
import { ORDER_REFUSED } from '../src/contract/failure-types.ts';
import type { SecuritySinks } from './interceptors.ts';

/** Temporal puts the time behind the id that the schedule's workflows are to have. */
const ID = /^schedule:(sc-[0-9a-f]{16})(?:-|$)/;

/**
 * Says that a schedule may be due. It bears nothing but its own id: what is due, and what becomes of
 * it, the record decides, so one that comes twice, late or from a stranger changes nothing.
 */
export async function scheduleAlarmWorkflow(): Promise<void> {
  const { workflowId, workflowType: name } = workflowInfo();
  const scheduleId = ID.exec(workflowId)?.[1];
  if (scheduleId === undefined) {
    const { security } = proxySinks<SecuritySinks>();
    security.refused({ what: 'start', name, why: 'no_order', keyId: null, workflowId });
    throw ApplicationFailure.nonRetryable('Its id names no schedule', ORDER_REFUSED);
  }
  const { lookAtSchedule } = proxyActivities<Pick<SharedActivities, 'lookAtSchedule'>>({
    startToCloseTimeout: '30 s',
    scheduleToCloseTimeout: '5 minutes',
    retry: { nonRetryableErrorTypes: [ORDER_REFUSED] },
  });
  await lookAtSchedule(scheduleId);
}
