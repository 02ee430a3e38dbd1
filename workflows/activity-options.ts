import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { REFUSAL, SUPERSEDED } from '../src/contract/failure-types.ts';

const nonRetryableErrorTypes = [SUPERSEDED, REFUSAL];

/** Commits are short and retried until Postgres is back. */
export const commitOptions: ActivityOptions = {
  startToCloseTimeout: '15 s',
  retry: {
    initialInterval: '100 ms',
    backoffCoefficient: 2,
    maximumInterval: '5 s',
    nonRetryableErrorTypes,
  },
};

/** A slice ends by itself after its caps; the timeout only catches a host that hangs. */
export const sliceOptions: ActivityOptions = {
  startToCloseTimeout: '75 min',
  /** With a heartbeat every 2 s, two may be late before another worker takes the slice over. */
  heartbeatTimeout: '6 s',
  // A turn settles, and its workspace is given back, only when nothing of it runs any more.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '100 ms',
    backoffCoefficient: 2,
    maximumInterval: '10 s',
    nonRetryableErrorTypes,
  },
};

/** A look at the files that mutations wait for: without a quick answer, a gate repeats it. */
export const confirmOptions: ActivityOptions = {
  scheduleToStartTimeout: '5 s',
  startToCloseTimeout: '20 s',
  retry: { maximumAttempts: 2, nonRetryableErrorTypes },
};

/** A poll of what a goal waits for; a failed one is repeated later anyway. */
export const pollOptions: ActivityOptions = {
  scheduleToStartTimeout: '60 s',
  startToCloseTimeout: '5 min',
  heartbeatTimeout: '6 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 3, initialInterval: '100 ms', nonRetryableErrorTypes },
};

/** Schedule-to-start time after which the host counts as unserved. */
export const WORKER_PATIENCE = '15 s';

/**
 * The same for a slice: all workers of the host are busy, or none is there, which the record's
 * readers detect themselves. It outlasts a rush, such as many goals that wake at the same moment.
 */
export const SLICE_PATIENCE = '60 s';

/** Mutations wait for it; the goal's next slice finishes what it doesn't finish in time. */
export const rewindOptions: ActivityOptions = {
  scheduleToStartTimeout: WORKER_PATIENCE,
  scheduleToCloseTimeout: '5 min',
  startToCloseTimeout: '5 min',
  heartbeatTimeout: '6 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 5, initialInterval: '100 ms', nonRetryableErrorTypes },
};

/** Asks whether anybody serves the workspace's queue. */
export const probeOptions: ActivityOptions = {
  scheduleToStartTimeout: '60 s',
  startToCloseTimeout: '5 s',
  retry: { maximumAttempts: 1 },
};
