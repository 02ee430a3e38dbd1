import type { Cases } from '../../../proof/canaries/parts.ts';
import { timesOf } from '../../../proof/test-report.ts';
import type { CheckRun } from '../../run-check.ts';

/**
 * A run that the host had to end, as it is told by what its runner said till then: a test that fails
 * leaves open what it closes at its end, such as a server, and the process waits for that.
 *
 * @param times how often each test passes with its own values
 * @returns null where it was not ended, or no failure of these tests was told before
 */
export function heardIn<Run extends CheckRun>(
  ran: Run,
  tests: readonly string[],
  times: ReadonlyMap<string, number>,
): Run | null {
  const { report, wasEnded } = ran;
  if (!wasEnded || report === null) return null;
  const cutOff = timesOf(report.cutOff ?? []);
  const failures = timesOf(report.failed);
  const isOf = new Set(tests);
  const failed = [...failures].flatMap(([test, count]) =>
    isOf.has(test) ? Array<string>(Math.max(0, count - (cutOff.get(test) ?? 0))).fill(test) : [],
  );
  if (failed.length === 0) return null;
  const told = timesOf(failed);
  // What is not told to fail may hold.
  const passed = [...times].flatMap(([test, count]) =>
    Array<string>(Math.max(0, count - (told.get(test) ?? 0))).fill(test),
  );
  return { ...ran, wasEnded: false, exitCode: null, report: { ...report, passed, failed } };
}

/** Names of tests that fail now; the check itself has an empty name. */
export function noticedBy(
  ran: CheckRun,
  tests: readonly string[],
  times: ReadonlyMap<string, number>,
): readonly string[] {
  if (!failedIn(ran, tests)) return [];
  if (tests.length === 0) return [''];
  const passed = timesOf(ran.report?.passed ?? []);
  return tests.filter((test) => (passed.get(test) ?? 0) < (times.get(test) ?? 1));
}

/** As often texts of these tests are another one. */
export const timesAsked = (all: readonly Cases[], cases: Cases): number =>
  all.filter((one) => one.length === cases.length && one.every((test, at) => test === cases[at]))
    .length;

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

/** A test fails, or the check where none is told. */
function failedIn(
  { report, exitCode, couldNotRun, wasEnded }: CheckRun,
  tests: readonly string[],
): boolean {
  // Where its setup fails, or the host had to end it, nothing was checked.
  if (exitCode === 0 || couldNotRun || wasEnded) return false;
  return tests.length === 0 || (report?.failed ?? []).length > 0;
}

/**
 * Of these that have to notice, those that do not.
 *
 * @param each tests that have to notice by themselves, whoever shares their text, but for so many
 *   runs of that name
 */
export function dumbOf(
  asked: readonly Cases[],
  ran: CheckRun,
  tests: readonly string[],
  times: ReadonlyMap<string, number>,
  each: ReadonlyMap<string, number> = new Map(),
): readonly Cases[] {
  const isHeardOf = new Set(noticedBy(ran, tests, times));
  // Where no text tells which test is which, any that fails has noticed.
  const isNoticed = failedIn(ran, tests);
  const passed = timesOf(ran.report?.passed ?? []);
  const fewer = (test: string) => (times.get(test) ?? 1) - (passed.get(test) ?? 0);
  // Of several tests with one name, or of which nothing tells them apart, each has to notice.
  const alone = [...each].flatMap(([test, besides]): Cases[] => {
    const least = (times.get(test) ?? 1) - besides;
    return least <= 0 || (isHeardOf.has(test) && fewer(test) >= least) ? [] : [[test]];
  });
  const shared = asked.filter((cases) => {
    if (cases.includes('')) return !isNoticed;
    const heard = cases.filter((test) => isHeardOf.has(test)).map(fewer);
    const all = cases.map((test) => times.get(test) ?? 0);
    return sumOf(heard) < Math.min(timesAsked(asked, cases), sumOf(all));
  });
  return [...shared, ...alone];
}
