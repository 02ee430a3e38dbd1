import type { Client } from '@temporalio/client';
import type { Queue } from '../../schema/operations.ts';
import { Refusal } from '../contract/failures.ts';
import type { TaskQueues } from '../contract/task-queues.ts';

/** A task queue as Temporal's own statistics show it. */
export type QueueStats = Omit<Queue, 'host' | 'recentBacklog'>;

interface QueueStatsPort {
  readonly names: TaskQueues;
  /** @throws Refusal temporal_unavailable */
  describe(name: string, kind: Queue['kind']): Promise<QueueStats>;
}

const KINDS = { workflow: 1, activity: 2 } as const;

export function createQueues(client: Client, names: TaskQueues): QueueStatsPort {
  return {
    names,
    async describe(name, kind) {
      const answer = await client.workflowService
        .describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name },
          taskQueueType: KINDS[kind],
          reportStats: true,
        })
        .catch((error: Error) => {
          throw new Refusal('temporal_unavailable', `Its task queues: ${error.message}`);
        });
      const { stats } = answer;
      return {
        name,
        kind,
        backlog: Number(stats?.approximateBacklogCount ?? 0),
        ageSeconds: seconds(stats?.approximateBacklogAge),
        addedRate: rounded(stats?.tasksAddRate ?? 0),
        takenRate: rounded(stats?.tasksDispatchRate ?? 0),
        pollers: answer.pollers?.length ?? 0,
      };
    },
  };
}

type Duration = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;

const seconds = (duration: Duration): number =>
  rounded(Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9);

const rounded = (value: number): number => Math.round(value * 100) / 100;
