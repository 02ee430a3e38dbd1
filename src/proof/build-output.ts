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

/** Where ctest begins. */
export const CTEST_BEGIN = /^Test project \S/gm;
const CTEST_LINE = /^[ \t]*\d+\/\d+ Test +#\d+: \S.*? \.+[ \t]*(Passed|\*\*\*\w.*?) +[\d.]+ sec/gm;
const CTEST_NONE = /^No tests were found!!!$/m;
/** By `SKIP_RETURN_CODE` or `DISABLED`; what only could not be run failed. */
const CTEST_SKIPPED = /^\*\*\*(?:Skipped|Not Run \(Disabled\))/;

/**
 * The lines of ctest; null where it did not run. Its names are those of programs: which test of
 * which file they are, nobody knows.
 */
export function countCtest(text: string): Counts | null {
  const results = [...text.matchAll(CTEST_LINE)].map(([, result = '']) => result);
  if (results.length === 0 && !CTEST_NONE.test(text)) return null;
  const skipped = results.filter((result) => CTEST_SKIPPED.test(result)).length;
  return { ran: results.length - skipped, skipped };
}
