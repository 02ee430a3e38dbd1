import type { Goal } from '../../schema/goal.ts';

/**
 * Exit codes for scripts; docs/cli.md has the table. `run` and `watch` exit with the stored status
 * of the goal; every other command exits with its own success or failure.
 */
export const EXIT = {
  complete: 0,
  incomplete: 1,
  budgetLimited: 2,
  usage: 3,
  /** By `--exit-code`, and of a proof that holds and proves nothing: a person has to decide. */
  waits: 4,
  interrupted: 130,
  /** Nobody reads any more what it prints, as a program ends by SIGPIPE. */
  unread: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(goal: Pick<Goal, 'status'>): ExitCode {
  if (goal.status === 'complete') return EXIT.complete;
  return goal.status === 'budget_limited' ? EXIT.budgetLimited : EXIT.incomplete;
}

/** A mistake in arguments or configuration, and how to correct it. */
export class UsageError extends Error {
  readonly wayOut: string;

  constructor(what: string, wayOut: string) {
    super(what);
    this.name = 'UsageError';
    this.wayOut = wayOut;
  }
}
