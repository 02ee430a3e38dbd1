import { randomUUID } from 'node:crypto';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
} from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { CheckResult } from '../../schema/estimate.ts';
import type { ProblemCode } from '../../schema/problem.ts';
import {
  CHECK_PATIENCE_SECONDS,
  CHECK_SECONDS,
  type CheckOrders,
} from '../contract/check-order.ts';
import type { ChecksPort } from '../contract/checks.ts';
import { ORDER_REFUSED, REFUSAL, type RefusalDetails } from '../contract/failure-types.ts';
import { Refusal } from '../contract/failures.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import { checkWorkflowIdOf } from './names.ts';
import { PayloadRefused } from './payload-codec.ts';

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
        throw refusalOf(error, host);
      }
    },
  };
}

function refusalOf(error: unknown, host: string): unknown {
  if (error instanceof WorkflowFailedError) {
    const found = causesOf(error).find((cause) => cause instanceof ApplicationFailure);
    if (found?.type === REFUSAL || found?.type === ORDER_REFUSED) return toRefusal(found);
    if (causesOf(error).some((cause) => cause instanceof TimeoutFailure)) return unanswered(host);
    return error;
  }
  if (error instanceof PayloadRefused) return new Refusal('worker_unavailable', error.message);
  const said = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(said)
    ? new Refusal('temporal_unavailable', 'Temporal cannot be reached')
    : error;
}

const unanswered = (host: string): Refusal =>
  new Refusal('worker_unavailable', `No worker of ${host} answered in time.`);

function causesOf(error: unknown): unknown[] {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? [error] : [error, ...causesOf(cause)];
}

function toRefusal(failure: ApplicationFailure): Refusal {
  const details = failure.details?.[0] as RefusalDetails | undefined;
  if (details === undefined) return new Refusal('internal', failure.message);
  return new Refusal(details.code as ProblemCode, details.detail, { ...details.data });
}
