import { z } from 'zod';
import { Refusal } from '../../contract/failures.ts';
import type { OutputPiece, TextPiece } from '../../contract/live.ts';
import type { EventRow } from '../../contract/reads.ts';
import type { Ports, Route } from '../application.ts';
import { callerHeaders, goalParams, operation } from '../contract.ts';
import { type EventStream, type StreamNeeds, serveEvents } from '../event-stream.ts';
import { existingGoal } from '../goal-lookup.ts';

const { config, describe } = operation('streamGoalEvents', {
  tag: 'events',
  summary:
    'Events of a goal: the backlog after Last-Event-ID (or `after`), then live (SSE), with what running commands print as `command.output` and what the model says as `model.text` (no id). Where events were removed, `events.pruned` with the goal as it is comes first',
  answer: z.string().describe('text/event-stream'),
});

const querystring = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .describe('Sequence number; Last-Event-ID wins')
    .optional(),
});

const headers = callerHeaders.extend({
  'last-event-id': z
    .string()
    .regex(/^(?:[\w-]{1,80}:\d{1,9})?$/, 'is "<goal id>:<number>"')
    .optional()
    .describe('The last event that was read, as its `id` says it'),
});

export const streamGoalEventsRoute: Route<'feed' | 'reader' | StreamNeeds> = (
  application,
  ports,
) => {
  application.route({
    method: 'GET',
    url: '/v1/goals/:goalId/events',
    config,
    schema: { ...describe, headers, params: goalParams, querystring },
    handler: async (request, reply) => {
      const { goalId } = await existingGoal(ports.reader, request.params.goalId);
      const after = lastSeq(request.headers['last-event-id'], goalId) ?? request.query.after ?? 0;
      serveEvents({ request, reply }, ports, (stream) => followGoal(ports, stream, goalId, after));
      return reply;
    },
  });
};

function lastSeq(header: string | string[] | undefined, goalId: string): number | undefined {
  if (header === undefined || header === '') return undefined;
  const [ofGoal, seq] = String(header).split(':');
  if (ofGoal === goalId) return Number(seq);
  throw new Refusal('invalid_request', `Last-Event-ID is "${goalId}:<number>" here.`, {
    field: 'Last-Event-ID',
  });
}

const BATCH = 200;

async function followGoal(
  ports: Ports<'reader' | 'feed'>,
  stream: EventStream,
  goalId: string,
  after: number,
) {
  // The subscription comes before the first read, so no event in between is missed.
  const unsubscribe = ports.feed.subscribe(goalId, stream.wake);
  const unsubscribeOutput = ports.feed.subscribeOutput(goalId, (piece) =>
    stream.offer(outputEvent(piece)),
  );
  const unsubscribeText = ports.feed.subscribeText(goalId, (piece) =>
    stream.offer(textEvent(piece)),
  );
  try {
    let seq = await tellPruned(ports, stream, goalId, after);
    let isNews = true;
    while (stream.isOpen) {
      const rows = await ports.reader.events(goalId, seq, BATCH);
      for (const row of rows) await stream.send(eventOf(row));
      seq = rows.at(-1)?.seq ?? seq;
      isNews ||= rows.length > 0;
      if (rows.length === BATCH) continue;
      if (isNews) stream.caughtUp();
      isNews = false;
      await stream.nextWakeup();
    }
  } finally {
    unsubscribe();
    unsubscribeOutput();
    unsubscribeText();
  }
}

/** Who reads from before what was removed gets the goal as it is, instead of a gap. */
async function tellPruned(
  { reader }: Ports<'reader'>,
  stream: EventStream,
  goalId: string,
  after: number,
): Promise<number> {
  const prunedTo = await reader.eventsPrunedTo(goalId);
  if (prunedTo <= after) return after;
  const goal = await existingGoal(reader, goalId);
  const told = { seq: prunedTo, type: 'events.pruned', at: goal.updatedAt };
  await stream.send(eventOf({ goalId, ...told, data: { after, prunedTo, goal } }));
  return prunedTo;
}

/** Output events have no id, so readers that reconnect resume after the last stored event. */
export function outputEvent(piece: OutputPiece) {
  const { goalId, ...data } = piece;
  return { event: 'command.output', data: { goalId, type: 'command.output', data } };
}

/** The offset in the answer shows readers whether they missed a piece. */
export function textEvent({ goalId, ...data }: TextPiece) {
  return { event: 'model.text', data: { goalId, type: 'model.text', data } };
}

function eventOf(row: EventRow) {
  return { id: `${row.goalId}:${row.seq}`, event: row.type, data: row };
}
