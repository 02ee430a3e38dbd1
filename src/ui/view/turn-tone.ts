import { outcomeOf, outcomeWords, type TurnOutcome } from '../../../schema/turn-outcome.ts';
import type { TurnOutline } from '../api/types.ts';

export interface Block {
  /** The turn that it leads to. */
  readonly turn: number;
  readonly tone: TurnOutcome;
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
    const tone = outcomeOf(turn);
    const own: Block = {
      turn: turn.turn,
      tone,
      label: `Turn ${turn.turn}: ${outcomeWords[tone]}`,
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
  label: outcomeWords[tone],
  from: Date.parse(since),
  to: now,
});
