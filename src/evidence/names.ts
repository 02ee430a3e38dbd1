import type { TestReport } from '../contract/test-report.ts';
import type { Attempts } from './attempt-outcome.ts';
import { type HostCommand, type HostRun, runAsHost } from './host-run.ts';
import { mayHideRunner, tellsNames } from './report/instrument.ts';
import type { CheckRun } from './run-check.ts';

export interface Names {
  /** True when the check's baseline has test names. */
  wereTold(): Promise<boolean>;
}

/**
 * Runs a passed check once more with reporters, to learn which tests ran. The code under test can
 * see reporters, so this run must pass too and proves nothing without the plain one. One such run
 * is enough, also after a suspicion: the plain runs detect flakiness, and the set of tests doesn't
 * change from run to run.
 */
export async function askForNames(
  host: HostRun,
  command: HostCommand,
  passed: Attempts,
  names: Names,
): Promise<Attempts> {
  if (!(await areOfUse(passed.last, names))) return passed;
  const allowed = command.spec.attempts ?? 1;
  const runs: CheckRun[] = [];
  while (runs.length < allowed && runs.at(-1)?.isMet !== true) {
    const label = allowed === 1 ? 'names' : `names${runs.length + 1}`;
    runs.push(await runAsHost(host, { ...command, label, plain: passed.last }));
  }
  const last = runs.at(-1) as CheckRun;
  const receipts = [...passed.receipts, ...runs.map(({ row }) => row.seq)];
  if (last.isMet && last.report?.hasNames !== true && (await names.wereTold())) {
    const reason = `${passed.last.reason}, but its runner, which named its tests at the start, names none`;
    return { last: { ...last, isMet: false }, receipts, reason };
  }
  if (last.isMet) return { ...passed, last, receipts };
  // The run exited as expected but checked too little: its own report decides.
  if (last.row.receipt?.ranNothing !== undefined) {
    return { last, receipts, reason: `${passed.last.reason}, but ${last.reason}` };
  }
  const reason = `passed, but not when its tests were asked for their names: ${last.reason}`;
  return { last, receipts, reason, remedy: SAME_EITHER_WAY };
}

const SAME_EITHER_WAY =
  'run it as before and again with `NODE_OPTIONS=--trace-warnings PYTEST_ADDOPTS=-v GOFLAGS=-v` in ' +
  'its environment: it has to pass both ways. Mend what differs, or what fails now and then, and ' +
  'call attempt_completion.';

/** True when a second run is worth its time: a runner can report names. */
async function areOfUse({ command, report }: CheckRun, names: Names): Promise<boolean> {
  if (command === null) return false;
  if ([...command.runners].some(tellsNames)) return true;
  if (!mayHideRunner(command) || report?.hasNames === true) return false;
  return isSpokenFor(report) || (await names.wereTold());
}

/** True when a runner behind a script printed its counts. */
const isSpokenFor = (report: TestReport | null): boolean =>
  report !== null && tellsNames(report.runner);
