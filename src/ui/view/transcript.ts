import type { Call, Turn } from '../api/types.ts';
import type { Said } from '../live/live-text.ts';

type RecordedMessage = Turn['messages'][number];

/** What a turn is read as, from its beginning to its end. */
export type Passage =
  | {
      readonly kind: 'said';
      readonly seq: number;
      /** Of what was sent to the goal. */
      readonly messageId?: string | undefined;
      readonly voice: string;
      readonly text: string;
    }
  | { readonly kind: 'call'; readonly call: Call }
  /** The model asked for it, and it has not begun. */
  | {
      readonly kind: 'asked';
      readonly callId: string;
      readonly tool: string;
      readonly input: string;
    }
  | { readonly kind: 'compacted'; readonly compaction: Turn['compactions'][number] }
  /** The running answer, as far as it was heard. */
  | { readonly kind: 'saying'; readonly said: Said };

interface Reading {
  readonly turn: Turn;
  readonly calls: readonly Call[];
  readonly said: Said | null;
  /** An agent's words are recorded at the end of its turn, behind all of its calls. */
  readonly isByAgent: boolean;
}

/** A turn's words and calls in the order of time; nothing of it twice. */
export function transcriptOf({ turn, calls, said, isByAgent }: Reading): Passage[] {
  const passages: Passage[] = [];
  const inOrder = [...calls].sort((left, right) => beginOf(left) - beginOf(right));
  const asked = new Set(turn.messages.flatMap((message) => message.calls.map(idOf)));
  const others = inOrder.filter(({ callId }) => !asked.has(callId)).map(stepsBy(turn, inOrder));
  const takeOthers = (isDue: (call: Call) => boolean) => {
    while (others[0] !== undefined && isDue(others[0]))
      passages.push({ kind: 'call', call: others.shift() as Call });
  };
  const compactions = [...turn.compactions];
  const takeCompactions = (step: number) => {
    while (compactions[0] !== undefined && compactions[0].step <= step)
      passages.push({ kind: 'compacted', compaction: compactions.shift() as never });
  };
  let step = 0;
  for (const message of turn.messages) {
    if (message.voice === 'model') {
      step += 1;
      takeOthers((call) => isByAgent || call.step < step);
      takeCompactions(step);
    }
    passages.push(...wordsOf(message));
    passages.push(...message.calls.map((call) => withRecord(call, inOrder)));
    if (message.voice === 'model') takeOthers((call) => call.step <= step);
  }
  takeOthers(() => true);
  takeCompactions(Number.POSITIVE_INFINITY);
  if (said !== null && isUnrecorded(turn, said)) passages.push({ kind: 'saying', said });
  return passages;
}

/** The record has the answer of a step as soon as it has as many messages of the model. */
export function isUnrecorded({ turn, state, messages }: Turn, said: Said): boolean {
  if (said.turn !== turn || said.text === '' || state === 'settled') return false;
  return messages.filter(({ voice }) => voice === 'model').length < Math.max(1, said.step);
}

/** A check of the host names no step: it belongs to the last one whose call began before it. */
function stepsBy({ messages }: Turn, calls: readonly Call[]): (call: Call) => Call {
  const steps = messages.filter(({ voice }) => voice === 'model');
  const begins = steps.map((message) => {
    const own = new Set(message.calls.map(idOf));
    return calls.filter(({ callId }) => own.has(callId)).map(beginOf);
  });
  return (call) => {
    if (call.step > 0) return call;
    const before = begins.findLastIndex((own) => own.some((begin) => begin < beginOf(call)));
    return { ...call, step: before + 1 };
  };
}

const idOf = ({ callId }: { readonly callId: string }): string => callId;

const beginOf = ({ startedSeq, settledSeq }: Call): number =>
  startedSeq ?? settledSeq ?? Number.POSITIVE_INFINITY;

function wordsOf({ seq, messageId, voice, text }: RecordedMessage): Passage[] {
  if (voice === 'tool' || text.trim() === '') return [];
  return [{ kind: 'said', seq, messageId, voice, text }];
}

function withRecord(asked: RecordedMessage['calls'][number], calls: readonly Call[]): Passage {
  const call = calls.find(({ callId }) => callId === asked.callId);
  return call === undefined ? { kind: 'asked', ...asked } : { kind: 'call', call };
}
