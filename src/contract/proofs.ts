import type { GoalProof } from '../../schema/goal-proof.ts';
import type { ProofBase } from '../../schema/proof-bundle.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { Fence } from './fence.ts';
import type { TestReport } from './test-report.ts';

/** What a criterion's command told of its tests before the goal's first write. */
export interface CriterionBaseline {
  readonly criterionId: string;
  /** SHA-256 of the criterion itself: the baseline of another one under this id says nothing. */
  readonly spec: string;
  readonly report: TestReport | null;
}

/** What proofs begin with and end with; too large for the goal's own row and for Temporal. */
export interface ProofPort {
  /** Replaces what is known of these criteria. */
  keepBaselines(fence: Fence, baselines: readonly CriterionBaseline[]): Promise<void>;
  baselines(goalId: string): Promise<CriterionBaseline[]>;
  /**
   * Stores what the gate of this turn found: the changes that it asks about, or the proof. The last
   * gate of a turn overwrites earlier ones.
   */
  keepFinding(fence: Fence, turn: number, finding: ProofFinding): Promise<void>;
  /** The subset of these goals whose originals nobody needs any more. */
  finishedGoals(goalIds: readonly string[]): Promise<string[]>;
}

export interface ProofFinding {
  readonly changes: readonly ShownChange[];
  readonly proof: GoalProof | null;
  /** Present with a proof. */
  readonly base?: ProofBase;
}
