/** Results that test runners reported for one run of a command. */
export interface TestReport {
  readonly runner: string;
  /** `<file or package> > <suite> > <test>`; empty where the runner only counts. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly hasNames: boolean;
  /** Number of tests that ran, with any result. */
  readonly ran: number;
  /** Tests that were found: those that ran and those that were skipped. */
  readonly total: number;
  /** Test files or packages that failed before any of their tests ran. */
  readonly broken: readonly string[];
  /** Of those that failed, where the end of the run may be why: tests that it cut off, and files. */
  readonly cutOff?: readonly string[];
  /** What failed tests said, as far as the runner reports it. */
  readonly messages?: readonly string[];
}
