import { Cron } from 'croner';
import type { Cadence } from '../../../schema/cadence.ts';

/** A cadence, and the time from which its spans are counted. */
export interface Timed {
  readonly when: Cadence;
  readonly madeAt: string;
}

/**
 * The first due time after a moment; null = none comes any more. A fixed time that the clocks leave
 * out comes at the first moment after, one that they repeat comes the first time; what comes every
 * so many minutes or hours comes as often as the clocks show it.
 */
export const nextDue = (timed: Timed, after: string): string | null =>
  timed.when.cron === undefined ? nextSpan(timed, after) : nextOf(cronOf(timed.when), after);

/** The due times in (after, until], the earliest first, and at most so many. */
export function dueTimes(timed: Timed, after: string, until: string, most: number): string[] {
  const next = (at: string) => nextDue(timed, at);
  const found: string[] = [];
  for (let at = next(after); at !== null && at <= until && found.length < most; at = next(at)) {
    found.push(at);
  }
  return found;
}

function nextSpan({ when: { everySeconds = 0 }, madeAt }: Timed, after: string): string {
  const start = Date.parse(madeAt);
  const span = everySeconds * 1000;
  const gone = Math.max(0, Math.floor((Date.parse(after) - start) / span));
  return new Date(start + (gone + 1) * span).toISOString();
}

const nextOf = (cron: Cron, after: string): string | null =>
  cron.nextRun(new Date(after))?.toISOString() ?? null;

const cronOf = ({ cron = '', timeZone = 'UTC' }: Cadence): Cron =>
  new Cron(cron, { mode: '5-part', paused: true, timezone: timeZone });
