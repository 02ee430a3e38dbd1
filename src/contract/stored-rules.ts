import type { CoveredCalls, StoredRule } from '../../schema/stored-rule.ts';
import type { NewSecurityEntry } from './security-log.ts';

/** What people let run for good, as a worker asks for it. */
export interface StoredRulesPort {
  /** The rules that hold in a workspace; one that isn't what was sealed is none. */
  holding(workspace: string): Promise<readonly HeldRule[]>;
}

export interface HeldRule {
  readonly ruleId: string;
  readonly covers: CoveredCalls;
  readonly madeBy: string;
}

export interface StoredRulesOfPeople {
  /** Newest first, those that were revoked too. */
  list(): Promise<StoredRule[]>;
  /**
   * It holds no more, from the next call on; a rule that was revoked before stays as it is.
   * @returns null if there is no such rule
   */
  revoke(ruleId: string, by: string, entry: NewSecurityEntry): Promise<StoredRule | null>;
}
