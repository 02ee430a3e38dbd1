import type { TestReport } from '../contract/test-report.ts';
import type { Attempts } from './attempt-outcome.ts';
import { mayHideRunner, tellsNames } from './basis/report/instrument.ts';
import { type HostCommand, type HostRun, runAsHost } from './host-run.ts';
import type { CheckRun } from './run-check.ts';

/** What a gate knows about the use of names. */
export interface Names {
  /** Did the check's baseline tell which tests ran? */
  wereTold(): Promise<boolean>;
  /** Files moved meanwhile, so that everything is looked at once more: names can wait. */
  canWait(): boolean;
}

/**
 * Once a check passed as the model's own runs do: which tests ran? Their runners tell it only to
 * reporters, which the code under test can see. So this run proves nothing without the plain one,
 * and has to pass like it. Once is enough, also after a suspicion: whether the check passes by luck
 * the plain runs have shown, and which tests there are doesn't change from run to run.
 */
export async function askForNames(
  host: HostRun,
  command: HostCommand,
  passed: Attempts,
  names: Names,
): Promise<Attempts> {
  if (names.canWait() || !(await areOfUse(passed.last, names))) return passed;
  const allowed = command.spec.attempts ?? 1;
  const runs: CheckRun[] = [];
  while (runs.length < allowed && runs.at(-1)?.isMet !== true) {
    const label = allowed === 1 ? 'names' : `names${runs.length + 1}`;
    runs.push(await runAsHost(host, { ...command, label, plain: passed.last }));
    host.signal.throwIfAborted();
  }
  const last = runs.at(-1) as CheckRun;
  const receipts = [...passed.receipts, ...runs.map(({ row }) => row.seq)];
  if (last.isMet) return { ...passed, last, receipts };
  // It exited as it should and still checked too little: what it ran has the word.
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

/** Minutes of a second run are spent only where a runner can tell something. */
async function areOfUse({ command, report }: CheckRun, names: Names): Promise<boolean> {
  if (command === null) return false;
  if ([...command.runners].some(tellsNames)) return true;
  if (!mayHideRunner(command) || report?.hasNames === true) return false;
  return isSpokenFor(report) || (await names.wereTold());
}

/** A runner that was reached out of sight has printed its counts. */
const isSpokenFor = (report: TestReport | null): boolean =>
  report !== null && tellsNames(report.runner);
