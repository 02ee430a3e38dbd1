import { Context } from '@temporalio/activity';
import { withFailures } from './failures.ts';

const HEARTBEAT_MS = 2000;

/** Heartbeats while the work runs; its signal aborts on cancellation and on a forced shutdown. */
export async function withActivity<Result>(
  work: (signal: AbortSignal, scheduledAt: number) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await withFailures(() =>
      work(context.cancellationSignal, context.info.currentAttemptScheduledTimestampMs),
    );
  } finally {
    clearInterval(timer);
  }
}
