import type { Schedule } from '../api/types.ts';
import type { EvidenceState } from './evidence.ts';
import { dateAndTime, duration } from './format.ts';
import { statusInText } from './status-words.ts';

type Run = Schedule['runs'][number];

/** What becomes of a due time while the last run is not over. */
export const overlapWords: Readonly<Record<Schedule['overlap'], string>> = {
  skip: 'it is left out',
  queue: 'one waits for it',
  allow: 'it starts beside',
};

export const cadenceWords = ({ cron, everySeconds }: Schedule['when']): string =>
  cron ?? `every ${duration(everySeconds ?? 0)}`;

export function nextWords({ paused, nextDueAt }: Schedule): string {
  if (paused === undefined) return nextDueAt === undefined ? 'never' : dateAndTime(nextDueAt);
  if (paused.reason === 'owner_ended') return 'off: its token has ended';
  if (paused.reason === 'program') return 'off: by a program';
  return paused.reason === 'goal_over' ? 'off: its goal is over' : 'off';
}

/** What it costs at most, each time. */
export function capWords({ start }: Schedule): string {
  const { costUsd, turns } = start?.budget ?? {};
  if (costUsd !== undefined && costUsd !== null) return `$${costUsd} a run`;
  return turns === undefined || turns === null ? 'the usual' : `${turns} turns a run`;
}

export function runState({ state, goalStatus }: Run): EvidenceState {
  if (state === 'refused') return 'failed';
  if (state === 'skipped' || state === 'missed') return 'dropped';
  if (state === 'woken') return 'proved';
  if (state !== 'started') return 'doing';
  if (goalStatus === 'complete') return 'proved';
  return goalStatus === 'paused' ? 'waiting' : 'doing';
}

export function runWords({ dueAt, state, goalStatus, count = 1, reason }: Run): string {
  const what = count === 1 ? state : `${state}, ${count} due times`;
  const goal = goalStatus === undefined ? '' : `, goal ${statusInText(goalStatus)}`;
  return `${dateAndTime(dueAt)}: ${what}${goal}${reason === undefined ? '' : `. ${reason}`}`;
}
