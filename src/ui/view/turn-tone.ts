import type { TurnOutline } from '../api/types.ts';
import { type Stage, stageOf } from './ladder.ts';

export type TurnTone =
  | 'work'
  | 'verify'
  | 'refused'
  | 'nudge'
  | 'compaction'
  | 'wait'
  | 'error'
  | 'delegate'
  | 'approval';

export const toneWords: Readonly<Record<TurnTone, string>> = {
  work: 'Work',
  verify: 'Verify',
  refused: 'Refused',
  nudge: 'Nudge',
  compaction: 'Compaction',
  wait: 'Sleep',
  error: 'Error',
  delegate: 'Delegate',
  approval: 'Waits for you',
};

type Outlined = Pick<TurnOutline, 'state' | 'action' | 'rule' | 'kind'>;

/** Tones of pauses; all others are work. */
const pauseTones: Readonly<Partial<Record<Stage, TurnTone>>> = {
  broken_turn: 'error',
  cut_off: 'error',
  no_progress: 'nudge',
};

/** A turn's outcome as one colour of the map. */
export function toneOf({ state, action, rule }: Outlined): TurnTone {
  const stage = stageOf(rule);
  if (state === 'open') return 'work';
  switch (action) {
    case 'complete':
      return 'verify';
    case 'refuse':
      return 'refused';
    case 'nudge':
      return 'nudge';
    case 'pause':
      return (stage === null ? null : pauseTones[stage]) ?? 'work';
    default:
      return 'work';
  }
}

export interface Block {
  /** The turn that it leads to. */
  readonly turn: number;
  readonly tone: TurnTone;
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

export interface WaitNow {
  readonly tone: 'approval' | 'wait';
  readonly since: string;
}

/** One row of the map: every turn, and the waits between them for a person or an event. */
export function laneOf(turns: readonly TurnOutline[], now: number, waits: WaitNow | null): Block[] {
  const oldestFirst = [...turns].sort((left, right) => left.turn - right.turn);
  const blocks = oldestFirst.flatMap((turn, index): Block[] => {
    const from = Date.parse(turn.startedAt);
    const to = turn.settledAt === null ? now : Date.parse(turn.settledAt);
    const tone = toneOf(turn);
    const own: Block = {
      turn: turn.turn,
      tone,
      label: `Turn ${turn.turn}: ${toneWords[tone]}`,
      from,
      to,
    };
    const next = oldestFirst[index + 1];
    if (next === undefined || !['wait', 'pause'].includes(turn.action ?? '')) return [own];
    return [own, sleepBetween(turn.turn, to, Date.parse(next.startedAt))];
  });
  return waits === null
    ? blocks
    : [...blocks, waitingBlock(oldestFirst.at(-1)?.turn ?? 0, waits, now)];
}

const sleepBetween = (turn: number, from: number, to: number): Block => ({
  turn,
  tone: 'wait',
  label: `Sleep after turn ${turn}`,
  from,
  to,
});

const waitingBlock = (turn: number, { tone, since }: WaitNow, now: number): Block => ({
  turn,
  tone,
  label: toneWords[tone],
  from: Date.parse(since),
  to: now,
});
