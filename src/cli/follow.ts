import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Goal } from '../../schema/goal.ts';
import { type Client, isPassing, ServiceAway } from './client.ts';
import type { ProgressEvent } from './progress.ts';

export interface Following {
  readonly goalId: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ProgressEvent & { seq: number }) => void;
  /** The goal as it is when everything up to now was read. */
  readonly onCaughtUp: (goal: Goal) => void;
  readonly onAway: () => void;
  /** What is told once and never again, such as the words of a model that speaks. */
  readonly onPassing?: (event: ProgressEvent) => void;
  /** A goal that rests is followed on all the same. */
  readonly staysFor?: (goal: Goal) => boolean;
  /** The last event that was read before; it moves on. Absent = none. */
  readonly position?: { seq: number };
}

/** How long the service may be away (a restart, a deploy) before following gives up. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 500;

/**
 * Reads the goal's events, from their beginning unless told, until it rests: nothing runs and nothing is due.
 * Comes back after the service was away, without losing or repeating an event.
 */
export async function followGoal(client: Client, following: Following): Promise<Goal> {
  const { position = { seq: 0 } } = following;
  let awaySince: number | null = null;
  for (;;) {
    try {
      const goal = await readUntilRest(client, following, position);
      if (goal !== null) return goal;
      awaySince = null;
    } catch (error) {
      if (following.signal.aborted || !(isPassing(error) || isBrokenStream(error))) throw error;
      if (awaySince === null) following.onAway();
      awaySince ??= performance.now();
      if (performance.now() - awaySince > PATIENCE_MS) throw error;
    }
    await pause(RETRY_MS, undefined, { signal: following.signal });
  }
}

async function readUntilRest(
  client: Client,
  { goalId, signal, onEvent, onCaughtUp, onPassing, staysFor }: Following,
  position: { seq: number },
): Promise<Goal | null> {
  const reading = new AbortController();
  const path = `/v1/goals/${goalId}/events?after=${position.seq}`;
  const answer = await client.open(path, {}, AbortSignal.any([signal, reading.signal]));
  try {
    for await (const { events, isCaughtUp } of batches(answer, onPassing)) {
      for (const event of events) {
        position.seq = event.seq;
        onEvent(event);
      }
      if (!isCaughtUp) continue;
      const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
      if (isAtRest(goal) && staysFor?.(goal) !== true) return goal;
      onCaughtUp(goal);
    }
    return null;
  } finally {
    reading.abort();
  }
}

export function isAtRest(goal: Goal): boolean {
  return (
    goal.archivedAt !== undefined || (goal.status !== 'active' && goal.activity.state === 'idle')
  );
}

/** Events that are not stored have no id to resume from. */
const UNNUMBERED = new Set(['command.output', 'model.text']);

type StreamedEvent = ProgressEvent & { seq: number };

/**
 * Batches of events as they arrive. The stream's comments (caught up, heartbeat) mean that nothing
 * more is to be read now, so the caller then checks whether the goal rests.
 */
export async function* batches(
  answer: Response,
  onPassing: Following['onPassing'],
): AsyncGenerator<{ events: StreamedEvent[]; isCaughtUp: boolean }> {
  let batch = { events: [] as StreamedEvent[], isCaughtUp: false };
  const parser = createParser({
    onEvent({ event, data }) {
      if (UNNUMBERED.has(event ?? '')) onPassing?.(JSON.parse(data) as ProgressEvent);
      else batch.events.push(JSON.parse(data) as StreamedEvent);
    },
    onComment: () => {
      batch.isCaughtUp = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield batch;
    batch = { events: [], isCaughtUp: false };
  }
}

/** fetch reports a connection that broke in the middle as a TypeError. */
function isBrokenStream(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ServiceAway;
}
