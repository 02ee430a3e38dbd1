import type { CommandCriterion } from '../../schema/criteria.ts';
import { type Attempts, runAttempts } from './attempts.ts';
import { runClean } from './clean.ts';
import type { HostRun } from './host-run.ts';

/** What the host itself does about a command: in the workspace, or in a fresh checkout of it. */
export function runCriterion(
  host: HostRun,
  criterion: { readonly criterionId: string; readonly spec: CommandCriterion },
  suspicion: string | null = null,
): Promise<Attempts> {
  return criterion.spec.check === 'clean'
    ? runClean(host, criterion, suspicion)
    : runAttempts(host, criterion, { suspicion });
}
