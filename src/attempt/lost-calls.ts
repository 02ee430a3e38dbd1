import type { JournaledStep } from '../contract/journal.ts';

/** Number of newest tries whose end was never seen; tries that generated nothing don't count. */
export function lostAtEnd(tries: readonly JournaledStep[]): number {
  const isLost = ({ state }: JournaledStep) => state === 'sent' || state === 'lost';
  const heard = tries.findLastIndex((row) => row.isCharged && !isLost(row));
  return tries.slice(heard + 1).filter(isLost).length;
}
