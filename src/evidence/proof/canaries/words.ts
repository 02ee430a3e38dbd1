import type { Round } from '../../../proof/canaries/series.ts';

/** What is said of a check and its canaries. */

export const listed = (paths: readonly string[]): string =>
  [...paths.slice(0, 5), ...(paths.length > 5 ? [`${paths.length - 5} more`] : [])].join(', ');

/** @param silent tests that notice none of it; empty where no runner tells them */
export function shown(rounds: readonly Round[], silent: readonly string[]): string {
  const paths = new Set(rounds.flatMap((round) => [...round.keys()]));
  const names = [...paths].map((path) => path ?? 'its command').slice(0, 5);
  const of = silent.length === 0 ? '' : ` (${silent.slice(0, 3).join(', ')})`;
  return `${rounds.length} times with other values in ${names.join(', ')}${of}`;
}
