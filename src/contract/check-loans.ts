import type { ProcessIdentity } from './process-identity.ts';

export interface CheckLoan {
  readonly checkId: string;
  readonly workspace: string;
  readonly host: string;
  readonly workerId: string;
}

/** The workspace for a check that belongs to no goal. */
export interface CheckLoans {
  /** Where the workspace lies. */
  pathOf(workspace: string, host: string): Promise<string>;
  /** @throws Refusal workspace_busy while a goal holds it or waits for it */
  take(loan: CheckLoan): Promise<void>;
  /** Before the first effect, so that whoever takes the workspace back can end it. */
  recordHelper(loan: CheckLoan, helper: ProcessIdentity): Promise<void>;
  giveBack(loan: CheckLoan): Promise<void>;
}
