import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Goal } from '../../../schema/goal.ts';
import type { Sight } from '../../contract/sight.ts';
import { sees, sightOf } from '../../policy/sight.ts';
import { type Ports, principalOf, type Route } from '../application.ts';
import { operation } from '../contract.ts';
import { type EventStream, type StreamNeeds, serveEvents } from '../event-stream.ts';
import { outputEvent, textEvent } from './stream-goal-events.ts';

const { config, describe } = operation('streamEvents', {
  tag: 'events',
  summary:
    'Tells which goals changed, from now on (SSE), and for one `goal` also what its model says (`model.text`) and its running commands print (`command.output`); their own streams have the details',
  answer: z.string().describe('text/event-stream'),
});

const querystring = z.strictObject({
  goal: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,80}$/)
    .optional(),
});

export const streamEventsRoute: Route<'feed' | 'reader' | StreamNeeds> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/events',
    config,
    schema: { ...describe, querystring },
    handler: async (request, reply) => {
      const sight = sightOf(principalOf(request));
      const heard = await inSight(ports, request.query.goal, sight);
      serveEvents({ request, reply }, ports, (stream) => followAll(ports, stream, heard, sight));
      return reply;
    },
  });
};

/** A goal out of sight says nothing, as one that doesn't exist. */
async function inSight(
  { reader }: Ports<'reader'>,
  goalId: string | undefined,
  sight: Sight,
): Promise<string | null> {
  const owner = goalId === undefined ? null : await reader.owner(goalId);
  return goalId !== undefined && owner !== null && sees(sight, owner) ? goalId : null;
}

/** A working goal notifies several times a second; its readers look less often. */
const LEAST_PAUSE_MS = 150;

/** How many of the newest changes a look at the record covers. */
const NEWEST = 100;

async function followAll(
  ports: Ports<'reader' | 'feed'>,
  stream: EventStream,
  heard: string | null,
  sight: Sight,
): Promise<void> {
  const seen = new Map<string, string>();
  const notified = new Set<string>();
  const unsubscribe = ports.feed.subscribeAll((goalIds) => {
    for (const goalId of goalIds) notified.add(goalId);
    stream.wake();
  });
  const unhear = heard === null ? () => undefined : hear(ports, stream, heard);
  try {
    for (const goal of await newest(ports, sight)) seen.set(goal.goalId, versionOf(goal));
    while (stream.isOpen) {
      await stream.nextWakeup();
      await delay(LEAST_PAUSE_MS);
      const touched = await atWork(ports, sight, notified);
      const moved = (await newest(ports, sight)).filter(
        (goal) => seen.get(goal.goalId) !== versionOf(goal),
      );
      for (const goal of new Map([...moved, ...touched].map((one) => [one.goalId, one])).values()) {
        seen.set(goal.goalId, versionOf(goal));
        await stream.send({ event: 'goal.changed', data: noticeOf(goal) });
      }
    }
  } finally {
    unsubscribe();
    unhear();
  }
}

/** What is told once and kept nowhere: the model's words, and what commands print. */
function hear({ feed }: Ports<'feed'>, stream: EventStream, goalId: string): () => void {
  const unsubscribers = [
    feed.subscribeText(goalId, (piece) => stream.offer(textEvent(piece))),
    feed.subscribeOutput(goalId, (piece) => stream.offer(outputEvent(piece))),
  ];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

/** Goals whose calls and usage changed although their own rows did not. */
async function atWork(
  ports: Ports<'reader'>,
  sight: Sight,
  notified: Set<string>,
): Promise<readonly Goal[]> {
  const goalIds = [...notified].slice(0, NEWEST);
  if (goalIds.length === 0) return [];
  for (const goalId of goalIds) notified.delete(goalId);
  const filter = { sight, goalIds, sort: 'updated', archived: true, limit: NEWEST } as const;
  return (await ports.reader.goals(filter)).items;
}

async function newest(ports: Ports<'reader'>, sight: Sight): Promise<readonly Goal[]> {
  const filter = { sight, sort: 'updated', archived: true, limit: NEWEST } as const;
  return (await ports.reader.goals(filter)).items;
}

function versionOf({ revision, updatedAt, archivedAt }: Goal): string {
  return `${revision} ${updatedAt} ${archivedAt ?? ''}`;
}

/** A notice holds the goal, so that lists need no request; its notify targets are left out. */
function noticeOf(goal: Goal) {
  const { goalId, threadId, status, revision, activity, updatedAt } = goal;
  const { notify: _, ...shown } = goal;
  return { goalId, threadId, status, revision, activity, updatedAt, goal: shown };
}
