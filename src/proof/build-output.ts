/** How many tests a build says to have run, over all of its modules. */
export interface Counts {
  readonly ran: number;
  readonly skipped: number;
}

/** The line that closes the tests of a module. */
export const SUREFIRE_TOTAL =
  /^(\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+)(?:, Flakes: \d+)?[ \t]*$/gm;

/**
 * The totals of Maven's Surefire and Failsafe, one for each module. A quiet Maven prints them only
 * where a test fails, so that they can't be compared with those of a run that passes.
 */
export function countSurefire(text: string): Counts | null {
  const found = [...text.matchAll(SUREFIRE_TOTAL)];
  const isQuiet = found.every(([, level]) => level !== undefined) && !/^\[INFO\]/m.test(text);
  if (found.length === 0 || isQuiet) return null;
  const sum = (at: number) => found.reduce((total, match) => total + Number(match[at]), 0);
  return { ran: sum(2) - sum(3), skipped: sum(3) };
}

/** Tests of CMake by their names, as far as each has a line of its own. */
export interface NamedTests {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

const CTEST_LINE =
  /^[ \t]*\d+\/\d+ Test +#\d+: (\S.*?) \.+[ \t]*(Passed|\*\*\*\w.*?) +[\d.]+ sec/gm;
const CTEST_NONE = /^No tests were found!!!$/m;
/** With `SKIP_RETURN_CODE`, and with `DISABLED`; what only could not be run failed. */
const CTEST_SKIPPED = /^\*\*\*(?:Skipped|Not Run \(Disabled\))/;

/** The lines of ctest; null where it did not run. */
export function testsOfCtest(text: string): NamedTests | null {
  const lines = [...text.matchAll(CTEST_LINE)];
  if (lines.length === 0 && !CTEST_NONE.test(text)) return null;
  const of = (isOf: (result: string) => boolean) =>
    lines.filter(([, , result = '']) => isOf(result)).map(([, name = '']) => name);
  return {
    passed: of((result) => result === 'Passed'),
    failed: of((result) => result !== 'Passed' && !CTEST_SKIPPED.test(result)),
    skipped: of((result) => CTEST_SKIPPED.test(result)),
  };
}
