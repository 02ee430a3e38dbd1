import type { Lent } from '../../contract/effects.ts';
import type { TestReport } from '../../contract/test-report.ts';
import type { Checker } from '../../diagnostics/checker.ts';
import { detectCheckers, KNOWN_CHECKERS } from '../../diagnostics/checkers.ts';
import { concerns } from '../../diagnostics/concerns.ts';
import {
  countErrors,
  errorsNamed,
  type KnownErrors,
  newErrors,
} from '../../diagnostics/known-errors.ts';
import type { Diagnostic } from '../../diagnostics/parse.ts';
import { mergeReports, reportOfNames } from '../../proof/test-report.ts';
import { type HostRun, runAsHost } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';

export interface Diagnostics {
  /** No checker reports an error that counts (where paths were given: none in them). */
  readonly holds: boolean;
  /** The errors that are there; null where a checker that failed does not name all of them. */
  readonly errors: KnownErrors | null;
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
  /** Errors that don't count; absent = each one does. */
  readonly known?: KnownErrors | undefined;
}

/** New errors that a reason names. */
const SHOWN_ERRORS = 5;

/** Runs every checker of the project, each of them a run on the record. */
export async function lookAtDiagnostics(
  host: HostRun,
  criterionId: string,
  paths: readonly string[] = [],
  { place, checkers: counting, known }: Partial<LookPlace> = {},
): Promise<Diagnostics> {
  const { checkers: configured = [], problem = null } =
    host.ports.workspaceRules?.(host.workspaceName) ?? {};
  if (problem !== null) return { ...nothingToRun, reason: problem };
  const found = await detectCheckers(host.workspace, paths, configured);
  const checkers = found.filter(({ name }) => counting === undefined || counting.includes(name));
  if (checkers.length === 0) return nothingToRun;
  const problems: string[] = [];
  const runs: CheckRun[] = [];
  let errors: KnownErrors | null = {};
  let old = 0;
  for (const checker of checkers) {
    const { name, command } = checker;
    const label = name.replaceAll(' ', '-');
    const spec = { kind: 'command' as const, command };
    const run = await runAsHost(host, { criterionId, label, spec, ...place });
    runs.push(run);
    // Without a sandbox the place shows under its own name.
    const output =
      place === undefined ? run.output : run.output.replaceAll(place.checkout, host.workspace);
    if (run.isMet || !concerns(checker, output, paths, host.workspace)) continue;
    const hasLooked = !run.wasEnded && !run.couldNotRun;
    const named = hasLooked ? errorsNamed(checker, output, host.workspace, paths) : null;
    if (named === null) errors = null;
    else if (errors !== null) errors = { ...errors, ...countErrors(name, named) };
    const fresh = known === undefined || named === null ? null : newErrors(name, named, known);
    old += fresh === null ? 0 : (named?.length ?? 0) - fresh.length;
    if (fresh === null) problems.push(`${name} ${run.reason}`);
    else if (fresh.length > 0) problems.push(newErrorsText(name, fresh));
  }
  return {
    holds: problems.length === 0,
    errors,
    reason: problems.join('; ') || cleanText(checkers, old),
    checkers: checkers.map(({ name }) => name),
    receipts: runs.map(({ row }) => row.seq),
    couldNotRun: runs.some((run) => run.couldNotRun),
    report: place === undefined ? null : await lookedAt(host, criterionId, checkers, place),
  };
}

function cleanText(checkers: readonly Checker[], old: number): string {
  const names = checkers.map(({ name }) => name).join(', ');
  return old === 0 ? `no errors by ${names}` : `no new errors by ${names}, ${old} of the start`;
}

function newErrorsText(name: string, fresh: readonly Diagnostic[]): string {
  const lines = fresh
    .slice(0, SHOWN_ERRORS)
    .map(({ path, line, rule, message }) => `${path}:${line} ${rule ?? ''} ${message}`.trim());
  const more = fresh.length > lines.length ? [`and ${fresh.length - lines.length} more`] : [];
  const count = fresh.length === 1 ? 'a new error' : `${fresh.length} new errors`;
  return [`${name} found ${count}`, ...lines, ...more].join('\n');
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
  errors: null,
  reason: `no checker was found: ${KNOWN_CHECKERS} of the project`,
  checkers: [],
  receipts: [],
  couldNotRun: true,
  report: null,
};
