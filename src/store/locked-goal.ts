import type { UsageFields } from '../../schema/budget.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { GoalState } from '../contract/goal-state.ts';
import type { FoundFacts } from './ledger/goal-facts.ts';
import type { ChainHead } from './ledger/ledger-chain.ts';
import type { SealEnd } from './ledger/seals.ts';
import type { SealedState } from './ledger/state-seal.ts';

/** A goal under the locks of its two rows, as the transitions need it. */
export interface LockedGoal {
  readonly state: GoalState;
  /** Where it stands, as it was read. */
  readonly stands: SealedState;
  readonly usage: UsageFields;
  readonly runId: string | null;
  readonly criteria: readonly TrackedCriterion[];
  readonly model: string;
  readonly fallbackModel: string | null;
  readonly workspaceName: string;
  readonly writeSeq: number;
  readonly ledger: ChainHead;
  readonly sealEnd: SealEnd;
  /** Where its next revision seals what it changes of these. */
  readonly facts?: FoundFacts;
  readonly token: number;
  readonly createdAt: string;
  /** The database's clock, read under the locks: hosts' clocks differ, and jump. */
  readonly now: string;
  readonly parentGoalId: string | null;
}
