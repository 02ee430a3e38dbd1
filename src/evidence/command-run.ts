import type { Attempts, Runnable } from './attempt-outcome.ts';
import { type Conditions, runAttempts } from './attempts.ts';
import { runClean } from './clean.ts';
import type { HostRun } from './host-run.ts';

/** Runs a criterion's command in the workspace, or in a fresh checkout of it. */
export function runCriterion(
  host: HostRun,
  criterion: Runnable,
  conditions: Omit<Conditions, 'checkout'> = {},
): Promise<Attempts> {
  const run = criterion.spec.check === 'clean' ? runClean : runAttempts;
  return run(host, criterion, conditions);
}
