import type { Goal } from '../../../schema/goal.ts';
import type { Client } from '../client.ts';
import type { ProgressEvent } from '../progress.ts';
import { ticking } from '../screen/units.ts';
import type { Terminal } from '../terminal.ts';
import { callIdOf, turnOf } from './event-fields.ts';
import { goalRecord } from './goal-record.ts';
import type { HeardPiece } from './heard-words.ts';
import { isSilent, modelWords, QUIET_MS, quietModel } from './model-words.ts';
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
  const quiet = quietModel();
  let goal: Goal | null = null;
  let turn: number | null = null;
  let quietTimer: NodeJS.Timeout | undefined;
  /** A silent model is told when it becomes one, and then as often as a command that runs. */
  const waitForWords = (): void => {
    clearTimeout(quietTimer);
    const since = quiet.since();
    if (since === null || goal === null) return;
    const known = goal;
    const after = Math.max(0, since + QUIET_MS - Date.now());
    const say = async (): Promise<void> => {
      quietTimer = setTimeout(say, BEAT_MS);
      // What happened before it is told before it.
      await narrator.told();
      const silent = Date.now() - since;
      if (quiet.since() !== since || timers.size > 0 || !isSilent(silent)) return;
      const text = `${modelWords(known, silent)} ${ticking(silent / 1000)}`;
      tell({ kind: 'note', at: new Date().toISOString(), turn, what: 'model', text, tone: 'dim' });
    };
    quietTimer = setTimeout(say, after);
  };
  return {
    hear(event: ProgressEvent) {
      quiet.hear(event);
      turn = turnOf(event) ?? turn;
      waitForWords();
      if (event.type === 'call.started') later(callIdOf(event), WORTH_TELLING_MS);
      if (event.type === 'call.settled') forget(callIdOf(event));
      narrator.hear(event);
    },
    hearPassing(event) {
      if (event.type !== 'model.text') return;
      const words = event.data as HeardPiece;
      narrator.hearWords(words);
      quiet.hearWords(words);
      if (words.text !== '') waitForWords();
    },
    caughtUp(known) {
      const isFirst = goal === null;
      goal = known;
      if (isFirst) waitForWords();
    },
    away: () => err('the service is away; waiting for it'),
    awaits: (text) => err(paint.you(text)),
    told: () => narrator.told(),
    close() {
      clearTimeout(quietTimer);
      for (const callId of timers.keys()) forget(callId);
    },
  };
}
