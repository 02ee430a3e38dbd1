import { z } from 'zod';
import type { Goal } from '../../../schema/goal.ts';
import type { ApiPorts, Route } from '../application.ts';
import { operation } from '../contract.ts';
import { type EventStream, serveEvents } from '../event-stream.ts';

const { config, describe } = operation('streamEvents', {
  tag: 'events',
  summary: 'Tells which goals changed, from now on (SSE); their own streams have the details',
  answer: z.string().describe('text/event-stream'),
});

export const streamEventsRoute: Route = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/events',
    config,
    schema: describe,
    handler: async (request, reply) => {
      serveEvents({ request, reply }, ports.settings.stream, (stream) => followAll(ports, stream));
      return reply;
    },
  });
};

/** How many of the newest changes a look at the record covers. */
const NEWEST = 100;

async function followAll(ports: ApiPorts, stream: EventStream): Promise<void> {
  const seen = new Map<string, string>();
  const unsubscribe = ports.feed.subscribeAll(stream.ring);
  try {
    for (const goal of await newest(ports)) seen.set(goal.goalId, versionOf(goal));
    while (stream.isOpen) {
      await stream.nextRing();
      for (const goal of await newest(ports)) {
        if (seen.get(goal.goalId) === versionOf(goal)) continue;
        seen.set(goal.goalId, versionOf(goal));
        await stream.send({ event: 'goal.changed', data: noticeOf(goal) });
      }
    }
  } finally {
    unsubscribe();
  }
}

async function newest(ports: ApiPorts): Promise<readonly Goal[]> {
  const filter = { sort: 'updated', archived: true, limit: NEWEST } as const;
  return (await ports.reader.goals(filter)).items;
}

function versionOf(goal: Goal): string {
  return `${goal.revision} ${goal.updatedAt} ${goal.archivedAt ?? ''}`;
}

function noticeOf({ goalId, threadId, status, revision, activity, updatedAt }: Goal) {
  return { goalId, threadId, status, revision, activity, updatedAt };
}
