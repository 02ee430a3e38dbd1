import type { Wait } from '../src/contract/goal-state.ts';

export interface Waiting {
  readonly wait: Wait;
  readonly isChanged: () => boolean;
  /** Changed, or left to the next run. */
  readonly isCut: () => boolean;
}
