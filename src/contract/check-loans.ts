import type { ProcessIdentity } from './process-identity.ts';

export interface CheckLoan {
  readonly checkId: string;
  readonly workspace: string;
  readonly host: string;
  readonly workerId: string;
}

/** The workspace for a check that belongs to no goal. */
export interface CheckLoans {
  /** Path of the workspace. */
  pathOf(workspace: string, host: string): Promise<string>;
  /** @throws Refusal workspace_busy while a goal holds it or waits for it */
  take(loan: CheckLoan): Promise<void>;
  /**
   * Records the helper before its first effect, so that it can be ended when the workspace is taken
   * back.
   */
  recordHelper(loan: CheckLoan, helper: ProcessIdentity): Promise<void>;
  giveBack(loan: CheckLoan): Promise<void>;
}
