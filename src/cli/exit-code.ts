import type { Goal } from '../../schema/goal.ts';

/**
 * What a script learns from the exit. `run` and `watch` tell the stored status of the goal; every
 * other command tells whether it did what it was asked to.
 */
export const EXIT = {
  complete: 0,
  incomplete: 1,
  budgetLimited: 2,
  usage: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(goal: Pick<Goal, 'status'>): ExitCode {
  if (goal.status === 'complete') return EXIT.complete;
  return goal.status === 'budget_limited' ? EXIT.budgetLimited : EXIT.incomplete;
}

/** A mistake in arguments or configuration, with the way out of it. */
export class UsageError extends Error {
  readonly wayOut: string;

  constructor(what: string, wayOut: string) {
    super(what);
    this.name = 'UsageError';
    this.wayOut = wayOut;
  }
}
