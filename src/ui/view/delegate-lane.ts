import type { Delegate } from '../api/types.ts';
import { clock } from './format.ts';
import type { Block } from './turn-tone.ts';

/** From its start to its end on the map; null = it never began, so there is nothing to draw. */
export function delegateBlock(delegate: Delegate, now: number): Block | null {
  const { startedAt, endedAt, turn, task } = delegate;
  if (startedAt === undefined) return null;
  const to = endedAt === undefined ? now : Date.parse(endedAt);
  const label = `Delegate, ${delegateWords(delegate)}: ${task.slice(0, 120)}`;
  return { turn, tone: 'delegate', label, from: Date.parse(startedAt), to };
}

/** How it stands with work that was handed over. */
export function delegateWords({ state, startsAt, outcome }: Delegate): string {
  switch (state) {
    case 'staged':
      return 'after this turn';
    case 'delayed':
      return startsAt === undefined ? 'later' : `from ${clock(startsAt)}`;
    case 'held':
      return 'after a compaction';
    case 'running':
      return 'works';
    default:
      return outcome?.kind ?? state;
  }
}
