import type { CatchUp, Overlap } from '../../../schema/schedule.ts';
import { dueTimes, nextDue, type Timed } from './due-times.ts';

/** A schedule as it stands under its lock. */
export interface StandingSchedule extends Timed {
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly catchUpSeconds: number;
  /** All due times up to here were decided. */
  readonly cursor: string;
  /** What earlier due times began is not over, or is about to begin. */
  readonly isBusy: boolean;
  /** A due time waits for that. */
  readonly hasWaiting: boolean;
}

export interface DecidedRun {
  readonly dueAt: string;
  readonly state: 'due' | 'waiting' | 'skipped' | 'missed';
  /** Due times that it stands for. */
  readonly count: number;
}

export interface DecidedDue {
  readonly runs: readonly DecidedRun[];
  readonly cursor: string;
  readonly nextDueAt: string | null;
  /** More due times have come than one look decides. */
  readonly hasMore: boolean;
}

/** One look holds the schedule's lock, so it decides no more than that many. */
export const MOST_AT_ONCE = 200;
/** With `none`, a due time counts as missed when nobody looked for that long. */
const LATE_MS = 60_000;

/** What becomes of each due time that came since the last look. Every one is decided once. */
export function decideDue(schedule: StandingSchedule, now: string): DecidedDue {
  const found = dueTimes(schedule, schedule.cursor, now, MOST_AT_ONCE + 1);
  const hasMore = found.length > MOST_AT_ONCE;
  const times = found.slice(0, MOST_AT_ONCE);
  const isKept = keeping(schedule, now, { times, hasMore });
  const missed = times.filter((at) => !isKept(at));
  const runs = [...rowOf(missed), ...overlapping(schedule, times.filter(isKept))];
  const cursor = times.at(-1) ?? schedule.cursor;
  return { runs, cursor, nextDueAt: nextDue(schedule, cursor), hasMore };
}

interface Found {
  readonly times: readonly string[];
  readonly hasMore: boolean;
}

/** Which of the due times are carried out, as the catch-up policy says. */
function keeping(
  { catchUp, catchUpSeconds }: StandingSchedule,
  now: string,
  { times, hasMore }: Found,
): (at: string) => boolean {
  const window = catchUp === 'none' ? LATE_MS : catchUpSeconds * 1000;
  const oldest = Date.parse(now) - window;
  const isFresh = (at: string) => Date.parse(at) >= oldest;
  if (catchUp !== 'last') return isFresh;
  const last = hasMore ? null : times.at(-1);
  return (at) => at === last && isFresh(at);
}

/** Missed ones share a row: a month without a service would leave thousands. */
const rowOf = (missed: readonly string[]): DecidedRun[] => {
  const last = missed.at(-1);
  return last === undefined ? [] : [{ dueAt: last, state: 'missed', count: missed.length }];
};

function overlapping(
  { overlap, isBusy, hasWaiting }: StandingSchedule,
  times: readonly string[],
): DecidedRun[] {
  let busy = isBusy;
  let waits = hasWaiting;
  return times.map((dueAt) => {
    const state = stateOf(overlap, busy, waits);
    busy = true;
    waits ||= state === 'waiting';
    return { dueAt, state, count: 1 };
  });
}

function stateOf(overlap: Overlap, isBusy: boolean, hasWaiting: boolean): DecidedRun['state'] {
  if (overlap === 'allow' || !isBusy) return 'due';
  return overlap === 'queue' && !hasWaiting ? 'waiting' : 'skipped';
}
