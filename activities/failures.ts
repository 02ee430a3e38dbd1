import { ApplicationFailure } from '@temporalio/common';
import {
  ORDER_REFUSED,
  REFUSAL,
  type RefusalDetails,
  SUPERSEDED,
} from '../src/contract/failure-types.ts';
import { OrderRefused, Refusal, Superseded } from '../src/contract/failures.ts';

/** Names errors by what happens next: refusals and takeovers end here, all else is retried. */
export async function withFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error);
  }
}

function toFailure(error: unknown): unknown {
  if (error instanceof Refusal) {
    const details: RefusalDetails = { code: error.code, detail: error.message, data: error.data };
    return ApplicationFailure.create({
      message: error.message,
      type: error instanceof OrderRefused ? ORDER_REFUSED : REFUSAL,
      nonRetryable: true,
      details: [details],
    });
  }
  if (error instanceof Superseded) {
    return ApplicationFailure.create({
      message: error.message,
      type: SUPERSEDED,
      nonRetryable: true,
    });
  }
  return error;
}
