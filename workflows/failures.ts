import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import {
  COME_AGAIN,
  ORDER_REFUSED,
  REFUSAL,
  type RefusalDetails,
  SUPERSEDED,
} from '../src/contract/failure-types.ts';
import { OrderRefused, Refusal } from '../src/contract/failures.ts';

const causeOf = (error: unknown): unknown =>
  error instanceof ActivityFailure ? error.cause : error;

/** Another run or epoch holds the goal: this run writes nothing any more. */
export function isSuperseded(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === SUPERSEDED;
}

/** True when no worker picked the task up. */
export function isUnserved(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** Failure of an update that the next run accepts. */
export const comeAgain = (): ApplicationFailure =>
  ApplicationFailure.create({
    message: 'the next run takes it',
    type: COME_AGAIN,
    nonRetryable: true,
  });

/** Converts an error to a failure of the update; any other error would fail the workflow task. */
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
      type: cause instanceof OrderRefused ? ORDER_REFUSED : REFUSAL,
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
