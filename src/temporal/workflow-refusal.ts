import { isGrpcServiceError, ServiceError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { ProblemCode } from '../../schema/problem.ts';
import {
  ORDER_REFUSED,
  PAYLOAD_REFUSED,
  REFUSAL,
  type RefusalDetails,
} from '../contract/failure-types.ts';
import { Refusal } from '../contract/failures.ts';
import { PayloadRefused } from './payload-codec.ts';

/** What a caller is told of a workflow that was waited for and failed. */
export function refusalOfWorkflow(error: unknown, unanswered: string): unknown {
  if (error instanceof WorkflowFailedError) {
    const found = causesOf(error).find((cause) => cause instanceof ApplicationFailure);
    if (found?.type === REFUSAL || found?.type === ORDER_REFUSED) return toRefusal(found);
    if (found?.type === PAYLOAD_REFUSED) return new Refusal('worker_unavailable', found.message);
    const isLate = causesOf(error).some((cause) => cause instanceof TimeoutFailure);
    return isLate ? new Refusal('worker_unavailable', unanswered) : error;
  }
  if (error instanceof PayloadRefused) return new Refusal('worker_unavailable', error.message);
  const said = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(said)
    ? new Refusal('temporal_unavailable', 'Temporal cannot be reached')
    : error;
}

function causesOf(error: unknown): unknown[] {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? [error] : [error, ...causesOf(cause)];
}

function toRefusal(failure: ApplicationFailure): Refusal {
  const details = failure.details?.[0] as RefusalDetails | undefined;
  if (details === undefined) return new Refusal('internal', failure.message);
  return new Refusal(details.code as ProblemCode, details.detail, { ...details.data });
}
