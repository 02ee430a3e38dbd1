import type { History, HistoryTurn } from '../api/types.ts';

type Temporal = History['temporal'];

/** A turn, and Temporal's state when it was loaded. */
export interface ToldTurn extends HistoryTurn {
  readonly temporal: Temporal;
}

/** Pages of one list come from different moments, so each turn keeps what was true of its own. */
export const withTold = ({ items, ...answer }: History) => ({
  ...answer,
  items: items.map((turn): ToldTurn => ({ ...turn, temporal: answer.temporal })),
});

const rest = 'Steps and state are from the record';

/**
 * The events of Temporal that the shown turns lack, and the reason.
 * @param now what it said to the newest question
 * @returns null = nothing is lacking
 */
export function temporalNotice(turns: readonly Pick<ToldTurn, 'temporal'>[], now: Temporal) {
  if (now === 'away') return `Temporal does not answer now. ${rest}.`;
  const of = (state: Temporal) => turns.filter(({ temporal }) => temporal === state).length;
  if (of('away') > 0)
    return `Temporal did not answer when some of these turns were loaded. ${rest}.`;
  if (turns.length > 0 && of('expired') === turns.length) {
    return `Temporal’s events have expired. ${rest}, which stays.`;
  }
  const isPartly = now === 'partly' || of('partly') + of('expired') > 0;
  return isPartly ? `Temporal keeps a part of these events no longer. ${rest}, which stays.` : null;
}

/** Tells whether a retry could bring the missing events. */
export const lacksAnswer = (turns: readonly Pick<ToldTurn, 'temporal'>[]): boolean =>
  turns.some(({ temporal }) => temporal === 'away');
