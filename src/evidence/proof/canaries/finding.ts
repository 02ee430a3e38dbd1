export interface CanaryFinding {
  /**
   * `held`: the check fails where its judge expects something else. `deaf`: it passes whatever that
   * expects, or never ends. `bent`: it does so with the work alone.
   */
  readonly state: 'held' | 'deaf' | 'bent' | 'not_applied';
  readonly reason: string;
  /** Calls of the ledger, one a run. */
  readonly receipts: readonly number[];
}

export type Verdict = Omit<CanaryFinding, 'receipts'>;

export const deaf = (reason: string): Verdict => ({ state: 'deaf', reason });
