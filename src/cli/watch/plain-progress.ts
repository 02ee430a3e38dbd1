import type { Client } from '../client.ts';
import type { ProgressEvent } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { callIdOf } from './event-fields.ts';
import { goalRecord } from './goal-record.ts';
import { beganOf, narrate } from './narrate.ts';
import { plainLines } from './plain-lines.ts';
import type { Progress } from './progress.ts';
import type { Told } from './told.ts';

/** A call that ends sooner is told once, by its end. */
const WORTH_TELLING_MS = 1000;
/** A log shows that a long command still runs. */
const BEAT_MS = 60_000;

/** Events as lines on stderr, one a line, without those that say nothing new. */
export function plainProgress(
  client: Client,
  goalId: string,
  { err, paint }: Pick<Terminal, 'err' | 'paint'>,
): Progress {
  const timers = new Map<string, NodeJS.Timeout>();
  const record = goalRecord(client, goalId);
  const tell = (told: Told) => {
    for (const text of plainLines(goalId, told)) err(text);
  };
  const narrator = narrate(client, goalId, {
    tell,
    goal: () => null,
    mostTurns: Number.POSITIVE_INFINITY,
  });
  const beat = async (callId: string): Promise<void> => {
    const running = await record.running().catch(() => []);
    const call = running.find((one) => one.callId === callId);
    if (call === undefined || !timers.has(callId)) return;
    const at = new Date().toISOString();
    tell({ kind: 'begun', at, turn: call.turn, call, seconds: beganOf(call, Date.now()) });
    later(callId, BEAT_MS);
  };
  const later = (callId: string, after: number) => {
    timers.set(
      callId,
      setTimeout(() => void beat(callId), after),
    );
  };
  const forget = (callId: string) => {
    clearTimeout(timers.get(callId));
    timers.delete(callId);
  };
  return {
    hear(event: ProgressEvent) {
      if (event.type === 'call.started') later(callIdOf(event), WORTH_TELLING_MS);
      if (event.type === 'call.settled') forget(callIdOf(event));
      narrator.hear(event);
    },
    hearPassing(event) {
      if (event.type === 'model.text') narrator.hearWords(event.data as never);
    },
    caughtUp: () => {},
    away: () => err('the service is away; waiting for it'),
    awaits: (text) => err(paint.you(text)),
    told: () => narrator.told(),
    close() {
      for (const callId of timers.keys()) forget(callId);
    },
  };
}
