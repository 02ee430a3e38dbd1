import type { Goal } from '../api/types.ts';
import type { Said } from '../live/live-text.ts';
import { clock } from './format.ts';

/** Workers tell every five seconds that an answer still runs: two of these may get lost. */
const SILENT_MS = 13_000;

export interface SaysNow {
  /** A name for the text, in a few words. */
  readonly label: string;
  readonly text: string;
  /** Comes in at this moment. */
  readonly isLive: boolean;
  /** The start of the answer was not received. */
  readonly isTail: boolean;
}

/** The received part of the running answer, or why there is none. */
export function saysNow(goal: Goal, said: Said | null, now: number): SaysNow {
  const { activity } = goal;
  const quiet = { text: '', isLive: false, isTail: false };
  if (activity.state !== 'running') {
    // Why a provider is waited for stands above, with the goal's chip.
    const why =
      activity.on === 'provider' && activity.until !== undefined
        ? `next try at ${clock(activity.until, 'seconds')}`
        : activity.reason;
    return { ...quiet, label: `No model call runs: ${activity.actor}, ${why}` };
  }
  if (said === null || said.text === '') {
    return { ...quiet, label: 'Nothing was heard of the running step yet.' };
  }
  const { turn, step, isEnd, heardAt, text, start } = said;
  const shown = { text, isTail: start > 0 };
  const place = `Turn ${turn}, model call ${step}`;
  if (isEnd) return { ...shown, isLive: false, label: `${place}, said; what it asked for runs` };
  const silence = now - heardAt;
  if (silence > SILENT_MS) {
    const seconds = Math.round(silence / 1000);
    return { ...shown, isLive: false, label: `${place}, nothing heard for ${seconds} s` };
  }
  return { ...shown, isLive: true, label: place };
}
