import type { Receipt } from '../../../schema/ledger.ts';
import type { TestReport } from '../../contract/test-report.ts';
import { type Runner, reasonWhyNoPass } from '../../proof/test-report.ts';
import type { ResolvedCommand } from '../runners/resolve.ts';
import type { ReportedRun } from './instrument.ts';

/** Runners that always leave a report when they finish. */
const CERTAIN: readonly Runner[] = ['node:test', 'vitest', 'jest', 'pytest', 'go test'];
/** The command may branch, or keep the host's variables from its runner. */
const UNCERTAIN = /NODE_OPTIONS|PYTEST_ADDOPTS|GOFLAGS|no:junitxml|\bif\b|\bcase\b|\|\||\bdocker\b/;

/** Why a run with the expected exit code still checked nothing, or null. */
export function whyNoTestRan(report: TestReport | null, command: ResolvedCommand): string | null {
  return reasonWhyNoPass(report, expectedRunners(command));
}

function expectedRunners({ runners, texts }: ResolvedCommand): Runner[] {
  if (texts.some((text) => UNCERTAIN.test(text))) return [];
  return [...runners].filter((runner) => CERTAIN.includes(runner));
}

/** Messages of missing dependencies; a missing file of the project isn't one. */
const MISSING = new RegExp(
  [
    "Cannot find package '|Cannot find module '[^./]",
    'ModuleNotFoundError: No module named',
    'no required module provides package',
    'Missing script: |npm (?:error|ERR!) could not determine executable',
    'command not found|: not found$',
    // Maven
    'Could not resolve dependencies for project|or one of its dependencies could not be resolved',
    'Non-resolvable (?:parent|import) POM|Could not create local repository',
    // Gradle
    'Could not resolve all (?:files|dependencies|artifacts|task dependencies) for',
  ].join('|'),
  'm',
);

/**
 * True when the check failed for another reason than its subject. Such a failure says nothing about
 * the goal and is repeated later on the kept files. A time-out is a failure.
 */
export function couldNotStart(
  { run, report, isAsked }: ReportedRun,
  command: ResolvedCommand,
): boolean {
  if (run.ended !== 'exited') return false;
  if (run.exitCode === 126 || run.exitCode === 127) return true;
  if (MISSING.test(Buffer.from(run.output).toString('utf8'))) return true;
  if (report === null) return isAsked && command.runners.size > 0;
  const isOnlyBroken = report.broken.length > 0 && report.failed.length === 0;
  return report.ran === 0 || isOnlyBroken;
}

export function testCounts(report: TestReport | null): Pick<Receipt, 'tests'> {
  if (report === null) return {};
  const { runner, ran, total, failed } = report;
  return { tests: { runner, ran, failed: failed.length, skipped: total - ran } };
}
