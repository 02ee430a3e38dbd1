import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { GoalEpoch } from './executions.ts';
import { toSeenEvent } from './history-event.ts';
import { workflowIdOf } from './names.ts';

/** A run of a goal's workflow. */
export interface GoalRun extends GoalEpoch {
  readonly runId: string;
}

/** One event of a run, as far as people read it. */
export interface SeenEvent {
  readonly eventId: number;
  readonly type: string;
  readonly at: string;
  readonly about: string;
  /** The turn that it names itself; most follow one that does. */
  readonly turn: number | null;
  /** What it scheduled, or the event that scheduled what it is about. */
  readonly activity: string | null;
  readonly scheduledBy: number | null;
}

/** The server keeps the run's events no longer. */
export class HistoryExpired extends Error {
  override readonly name = 'HistoryExpired';
}

/** Nobody answers, or not in time. */
export class HistoryAway extends Error {
  override readonly name = 'HistoryAway';
}

/** Temporal's own account of what it did. */
export interface HistoriesPort {
  /**
   * From the newest event backwards, page by page, for as long as the caller asks.
   * @throws HistoryExpired, HistoryAway
   */
  backwards(run: GoalRun): AsyncIterable<readonly SeenEvent[]>;
}

const EVENTS_A_PAGE = 250;
const PATIENCE_MS = 2000;
const NOT_FOUND = 5;

export function createHistories(client: Client): HistoriesPort {
  return { backwards: (run) => pagesOf(client, run) };
}

async function* pagesOf(client: Client, run: GoalRun): AsyncGenerator<readonly SeenEvent[]> {
  for (let nextPageToken: Uint8Array | undefined; ; ) {
    const page = await readPage(client, run, nextPageToken);
    yield (page.history?.events ?? []).map(toSeenEvent);
    if (!page.nextPageToken || page.nextPageToken.length === 0) return;
    ({ nextPageToken } = page);
  }
}

async function readPage(
  client: Client,
  { goalId, epoch, runId }: GoalRun,
  nextPageToken: Uint8Array | undefined,
) {
  try {
    return await client.connection.withDeadline(Date.now() + PATIENCE_MS, () =>
      client.workflowService.getWorkflowExecutionHistoryReverse({
        namespace: client.options.namespace,
        execution: { workflowId: workflowIdOf(goalId, epoch), runId },
        maximumPageSize: EVENTS_A_PAGE,
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
      }),
    );
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    if (error.code === NOT_FOUND) throw new HistoryExpired(runId, { cause: error });
    throw new HistoryAway(runId, { cause: error });
  }
}
