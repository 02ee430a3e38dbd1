import { detectCheckers, KNOWN_CHECKERS } from '../../diagnostics/checkers.ts';
import { concerns } from '../../diagnostics/concerns.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';

export interface Diagnostics {
  /** No checker reports an error (where paths were given: none in them). */
  readonly holds: boolean;
  readonly reason: string;
  readonly checkers: readonly string[];
  readonly receipts: readonly number[];
  /** None was found, or one could not be started. */
  readonly couldNotRun: boolean;
}

/** Runs every checker of the project, each of them a run on the record. */
export async function lookAtDiagnostics(
  host: HostRun,
  criterionId: string,
  paths: readonly string[] = [],
): Promise<Diagnostics> {
  const { checkers: configured = [], problem = null } =
    host.ports.workspaceRules?.(host.workspaceName) ?? {};
  if (problem !== null) return { ...nothingToRun, reason: problem };
  const checkers = await detectCheckers(host.workspace, paths, configured);
  if (checkers.length === 0) return nothingToRun;
  const problems: string[] = [];
  const runs: CheckRun[] = [];
  for (const checker of checkers) {
    const { name, command } = checker;
    const label = name.replaceAll(' ', '-');
    const run = await runAsHost(host, { criterionId, label, spec: { kind: 'command', command } });
    host.signal.throwIfAborted();
    runs.push(run);
    if (!run.isMet && concerns(checker, run.output, paths, host.workspace))
      problems.push(`${name} ${run.reason}`);
  }
  return {
    holds: problems.length === 0,
    reason: problems.join('; ') || `no errors by ${checkers.map(({ name }) => name).join(', ')}`,
    checkers: checkers.map(({ name }) => name),
    receipts: runs.map(({ row }) => row.seq),
    couldNotRun: runs.some((run) => run.couldNotRun),
  };
}

const nothingToRun: Diagnostics = {
  holds: false,
  reason: `no checker was found: ${KNOWN_CHECKERS} of the project`,
  checkers: [],
  receipts: [],
  couldNotRun: true,
};
