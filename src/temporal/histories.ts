import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { GoalRun, HistoriesPort, SeenEvent } from '../contract/histories.ts';
import type { OrdersPort } from '../contract/orders.ts';
import { orderIn, toSeenEvent } from './history-event.ts';
import { workflowIdOf } from './names.ts';
import { openEvents } from './open-events.ts';

/** The server keeps the run's events no longer. */
export class HistoryExpired extends Error {
  override readonly name = 'HistoryExpired';
}

/** Temporal doesn't answer, or not in time. */
export class HistoryAway extends Error {
  override readonly name = 'HistoryAway';
}

const EVENTS_A_PAGE = 250;
const PATIENCE_MS = 2000;
const NOT_FOUND = 5;

export function createHistories(client: Client, orders: Pick<OrdersPort, 'kinds'>): HistoriesPort {
  return { backwards: (run) => pagesOf(client, orders, run) };
}

async function* pagesOf(
  client: Client,
  orders: Pick<OrdersPort, 'kinds'>,
  run: GoalRun,
): AsyncGenerator<readonly SeenEvent[]> {
  for (let nextPageToken: Uint8Array | undefined; ; ) {
    const page = await readPage(client, run, nextPageToken);
    const events = await openEvents(client, run, page.history?.events ?? []);
    const named = events.map(orderIn).filter((commitId) => commitId !== null);
    const kinds = named.length === 0 ? new Map() : await orders.kinds(run.goalId, named);
    yield events.map((event) => toSeenEvent(event, kinds));
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
