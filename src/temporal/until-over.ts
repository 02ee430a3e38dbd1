import type { Worker } from '@temporalio/worker';

/** Polling failed for good: the process that goes on would take no task ever again. */
export class PollingEnded extends Error {
  readonly wayOut: string;
  /** A new start may succeed. */
  readonly isAway = true;

  constructor(what: string, wayOut: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'PollingEnded';
    this.wayOut = wayOut;
  }
}

const LOOK_EVERY_MS = 500;

/**
 * Runs workers until all have drained. One whose poll is refused for good (its namespace is gone, its
 * rights were taken) goes to FAILED, and its `run` may stay pending: its state is watched.
 * @throws PollingEnded
 */
export async function untilOver(
  workers: readonly Pick<Worker, 'run' | 'getState'>[],
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (workers.some((worker) => worker.getState() === 'FAILED')) reject(ended());
    }, LOOK_EVERY_MS);
  });
  try {
    const runs = workers.map((worker) => worker.run());
    await Promise.race([Promise.all(runs), failed]).catch((error: unknown) => {
      throw error instanceof PollingEnded ? error : ended(error);
    });
  } finally {
    clearInterval(timer);
  }
}

function ended(cause?: unknown): PollingEnded {
  const said = cause instanceof Error ? `: ${cause.message}` : '';
  const what = `Temporal gives this worker no more tasks${said}`;
  return new PollingEnded(what, 'The log says what it answered; start the worker again.', cause);
}
