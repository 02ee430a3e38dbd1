import type { SetupLook } from './scope.ts';

const STATES = {
  lent: 'the packages of the workspace are used, as long as they stay as they are; else it runs',
  kept: 'it ran before for the same inputs, and is not repeated',
  runs: 'it runs before the first check',
  open: 'it runs before the first check, unless it did for the same inputs',
  unused: 'not used',
} as const;

/** What would install packages, in a sentence for people. */
export function setupSentence({ lock, command, state, why, additions }: SetupLook): string {
  const what = [lock, command].filter((one) => one !== null).join(': ');
  const adds = additions === 'allowed' ? '; the goal may add packages of a registry' : '';
  return `${what} (${why ?? STATES[state]}${adds})`;
}
