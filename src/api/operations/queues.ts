import type { Queue } from '../../../schema/operations.ts';
import type { Ports } from '../application.ts';

/** More hosts than a page shows; each costs a request to Temporal. */
const MOST_HOSTS = 20;

export type QueueNeeds = 'reader' | 'queues';

/** The shared queue of goals, and one queue for each host that serves workspaces. */
export async function readQueues({ reader, queues }: Ports<QueueNeeds>): Promise<Queue[]> {
  const hosts = [...new Set((await reader.workspaces()).map(({ host }) => host))].sort();
  const shared = (['workflow', 'activity'] as const).map(async (kind) => ({
    ...(await queues.describe(queues.names.goals, kind)),
    host: null,
  }));
  const own = hosts.slice(0, MOST_HOSTS).map(async (host) => ({
    ...(await queues.describe(queues.names.workspacesOf(host), 'activity')),
    host,
  }));
  return Promise.all([...shared, ...own]);
}
