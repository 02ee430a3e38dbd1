import { type Stage, stageOf } from './ladder.ts';
import type { TurnOutline } from './turn.ts';

export type TurnOutcome =
  | 'work'
  | 'verify'
  | 'refused'
  | 'nudge'
  | 'compaction'
  | 'wait'
  | 'error'
  | 'delegate'
  | 'approval';

export const outcomeWords: Readonly<Record<TurnOutcome, string>> = {
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

/** Of pauses; all others are work. */
const outcomeOfPause: Readonly<Partial<Record<Stage, TurnOutcome>>> = {
  broken_turn: 'error',
  cut_off: 'error',
  no_progress: 'nudge',
};

/** What became of a turn, in one word. */
export function outcomeOf({ state, action, rule }: Outlined): TurnOutcome {
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
      return (stage === null ? null : outcomeOfPause[stage]) ?? 'work';
    default:
      return 'work';
  }
}
