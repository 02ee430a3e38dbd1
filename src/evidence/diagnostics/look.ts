import type { Lent } from '../../contract/effects.ts';
import type { TestReport } from '../../contract/test-report.ts';
import type { Checker } from '../../diagnostics/checker.ts';
import { detectCheckers, KNOWN_CHECKERS } from '../../diagnostics/checkers.ts';
import { concerns } from '../../diagnostics/concerns.ts';
import { mergeReports, reportOfNames } from '../../proof/test-report.ts';
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
  /** In a place: the files that checkers looked at, as far as they say. */
  readonly report: TestReport | null;
}

export interface LookPlace {
  /** Where the checkers run instead of in the workspace. */
  readonly place: { readonly checkout: string; readonly lent: readonly Lent[] };
  /** The checkers that count; absent = all that the project is set up for. */
  readonly checkers?: readonly string[] | undefined;
}

/** Runs every checker of the project, each of them a run on the record. */
export async function lookAtDiagnostics(
  host: HostRun,
  criterionId: string,
  paths: readonly string[] = [],
  { place, checkers: known }: Partial<LookPlace> = {},
): Promise<Diagnostics> {
  const { checkers: configured = [], problem = null } =
    host.ports.workspaceRules?.(host.workspaceName) ?? {};
  if (problem !== null) return { ...nothingToRun, reason: problem };
  const found = await detectCheckers(host.workspace, paths, configured);
  const checkers = found.filter(({ name }) => known === undefined || known.includes(name));
  if (checkers.length === 0) return nothingToRun;
  const problems: string[] = [];
  const runs: CheckRun[] = [];
  for (const checker of checkers) {
    const { name, command } = checker;
    const label = name.replaceAll(' ', '-');
    const spec = { kind: 'command' as const, command };
    const run = await runAsHost(host, { criterionId, label, spec, ...place });
    host.signal.throwIfAborted();
    runs.push(run);
    // Without a sandbox the place shows under its own name.
    const output =
      place === undefined ? run.output : run.output.replaceAll(place.checkout, host.workspace);
    if (!run.isMet && concerns(checker, output, paths, host.workspace))
      problems.push(`${name} ${run.reason}`);
  }
  return {
    holds: problems.length === 0,
    reason: problems.join('; ') || `no errors by ${checkers.map(({ name }) => name).join(', ')}`,
    checkers: checkers.map(({ name }) => name),
    receipts: runs.map(({ row }) => row.seq),
    couldNotRun: runs.some((run) => run.couldNotRun),
    report: place === undefined ? null : await lookedAt(host, criterionId, checkers, place),
  };
}

/** What sources take from a checker's sight is compared like tests that no longer run. */
async function lookedAt(
  host: HostRun,
  criterionId: string,
  checkers: readonly Checker[],
  place: LookPlace['place'],
): Promise<TestReport | null> {
  // Such a run is no outcome of the check.
  const { proof: _, ...own } = host;
  const reports: TestReport[] = [];
  for (const { name, listing } of checkers) {
    if (listing === undefined) continue;
    const label = `${name.replaceAll(' ', '-')}-files`;
    const spec = { kind: 'command' as const, command: listing };
    const run = await runAsHost(own, { criterionId, label, spec, ...place });
    host.signal.throwIfAborted();
    if (!run.isMet) continue;
    const paths = ownPaths(run.output, [place.checkout, host.workspace]);
    reports.push(reportOfNames(name, { passed: paths, failed: [], skipped: [] }));
  }
  return mergeReports(reports);
}

/** Installed packages are none of the project's files. */
function ownPaths(output: string, roots: readonly string[]): string[] {
  const inside = output.split('\n').flatMap((line) => {
    const root = roots.find((one) => line.startsWith(`${one}/`));
    return root === undefined ? [] : [line.slice(root.length + 1).trimEnd()];
  });
  return inside.filter((path) => !/(?:^|\/)node_modules\//.test(path));
}

const nothingToRun: Diagnostics = {
  holds: false,
  reason: `no checker was found: ${KNOWN_CHECKERS} of the project`,
  checkers: [],
  receipts: [],
  couldNotRun: true,
  report: null,
};
