import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { CheckResult } from '../../schema/estimate.ts';
import {
  CHECK_PATIENCE_SECONDS,
  CHECK_SECONDS,
  type CheckOrders,
} from '../contract/check-order.ts';
import type { ChecksPort } from '../contract/checks.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { checkWorkflowIdOf } from './names.ts';
import { refusalOfWorkflow } from './workflow-refusal.ts';

/** The time until a worker takes the check, for the check itself, and for both transfers. */
const LONGEST_SECONDS = CHECK_PATIENCE_SECONDS + CHECK_SECONDS + 30;

export function createChecks(
  client: Client,
  queues: TaskQueues,
  orders: Pick<CheckOrders, 'place'>,
): ChecksPort {
  return {
    async try({ principal, ...asked }) {
      const { workspace, host } = asked;
      const checkId = randomUUID();
      await orders.place({ checkId, ...asked }, principal);
      try {
        return (await client.workflow.execute('tryCheckWorkflow', {
          workflowId: checkWorkflowIdOf(checkId),
          taskQueue: queues.goals,
          args: [checkId],
          workflowExecutionTimeout: `${LONGEST_SECONDS} s`,
          staticSummary: `a check in ${workspace}`,
        })) as CheckResult;
      } catch (error) {
        throw refusalOfWorkflow(error, `No worker of ${host} answered in time.`);
      }
    },
  };
}
