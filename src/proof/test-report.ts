import type { TestReport } from '../contract/test-report.ts';
export type Runner =
  | 'node:test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'pytest'
  | 'unittest'
  | 'go test'
  | 'cargo test'
  | 'ctest'
  | 'Surefire';

const MOST_MESSAGES = 5;

export function reportOfNames(
  runner: string,
  names: Pick<TestReport, 'passed' | 'failed' | 'skipped'> & {
    readonly broken?: readonly string[];
    readonly messages?: readonly string[];
    readonly cutOff?: readonly string[];
  },
): TestReport {
  const { messages = [], cutOff = [], ...own } = names;
  const told = messages.filter((one) => one !== '').slice(0, MOST_MESSAGES);
  const ran = names.passed.length + names.failed.length;
  return {
    broken: [],
    ...own,
    ...(told.length > 0 && { messages: told }),
    ...(cutOff.length > 0 && { cutOff }),
    runner,
    hasNames: true,
    ran,
    total: ran + names.skipped.length,
  };
}

export function reportOfCounts(
  runner: string,
  counts: { readonly ran: number; readonly skipped: number },
): TestReport {
  const none = { passed: [], failed: [], skipped: [], broken: [] };
  return { ...none, runner, hasNames: false, ran: counts.ran, total: counts.ran + counts.skipped };
}

/** One command may start several runners, or one of them several times. */
export function mergeReports(reports: readonly TestReport[]): TestReport | null {
  const [first, ...others] = reports;
  if (first === undefined) return null;
  return others.reduce(
    (merged, next) => ({
      runner: merged.runner === next.runner ? merged.runner : `${merged.runner}, ${next.runner}`,
      passed: [...merged.passed, ...next.passed],
      failed: [...merged.failed, ...next.failed],
      skipped: [...merged.skipped, ...next.skipped],
      hasNames: merged.hasNames && next.hasNames,
      ran: merged.ran + next.ran,
      total: merged.total + next.total,
      broken: [...merged.broken, ...next.broken],
      messages: [...(merged.messages ?? []), ...(next.messages ?? [])],
      cutOff: [...(merged.cutOff ?? []), ...(next.cutOff ?? [])],
    }),
    first,
  );
}

/**
 * Why a run that ended as expected is still no pass, or null. `expected` are the runners that the
 * command certainly starts: one that says nothing at all was cut off before its first test.
 */
export function reasonWhyNoPass(
  report: TestReport | null,
  expected: readonly Runner[],
): string | null {
  if (report === null) {
    return expected.length === 0 ? null : `${expected.join(' and ')} reported no test at all`;
  }
  if (report.total === 0) return `${report.runner} ran no test`;
  return report.ran === 0 ? `${report.runner} skipped all ${report.total} tests` : null;
}

/**
 * Tests that did not pass before; all of them, where each did. Several may bear one name: it turned
 * where more of them pass now.
 */
export function turnedTests(before: TestReport | null, now: TestReport): readonly string[] {
  const earlier = timesOf(before?.passed ?? []);
  const turned = [...timesOf(now.passed)].filter(
    ([name, times]) => times > (earlier.get(name) ?? 0),
  );
  return turned.length > 0 ? turned.map(([name]) => name) : [...new Set(now.passed)];
}

export const timesOf = (names: readonly string[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
};

export type LostTest = { readonly name: string; readonly kind: 'test_gone' | 'test_skipped' };

/**
 * Tests that ran at the baseline and don't run any more, and files that failed then as a whole and
 * now pass without a single test. Names that a test file makes from data may differ: they are
 * excused where that file is unchanged and runs no fewer tests.
 */
export function lostTests(
  before: TestReport | null,
  now: TestReport | null,
  isUnchanged: (file: string) => boolean,
): LostTest[] {
  if (!before?.hasNames || now?.hasNames === false) return lostCount(before, now);
  const all = [...(now?.passed ?? []), ...(now?.failed ?? [])];
  const ran = timesOf(all);
  const skipped = new Set(now?.skipped ?? []);
  const counts = timesOf(all.map(fileOf));
  const was = [...before.passed, ...before.failed];
  const [earlier, needed] = [timesOf(was), timesOf(was.map(fileOf))];
  const isExcused = (name: string) => {
    const file = fileOf(name);
    return isUnchanged(file) && (counts.get(file) ?? 0) >= (needed.get(file) ?? 0);
  };
  const lost = [...earlier]
    .filter(([name, times]) => (ran.get(name) ?? 0) < times)
    .filter(([name]) => skipped.has(name) || !isExcused(name))
    .map(([name]): LostTest => ({ name, kind: skipped.has(name) ? 'test_skipped' : 'test_gone' }));
  const silent = before.broken.filter((file) => !counts.has(file));
  return [...lost, ...silent.map((name): LostTest => ({ name, kind: 'test_gone' }))];
}

/** With counts alone, only a lower number of tests can be detected. */
function lostCount(before: TestReport | null, now: TestReport | null): LostTest[] {
  const earlier = before?.ran ?? 0;
  const present = now?.ran ?? 0;
  if (present >= earlier) return [];
  return [{ name: `${earlier} tests ran before, ${present} now`, kind: 'test_gone' }];
}

/** Where a test stands, as its report names it. */
export const fileOf = (name: string): string => name.split(' > ', 1)[0] ?? name;
