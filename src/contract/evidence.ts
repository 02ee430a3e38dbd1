import type { BaselineState, CriterionState } from '../../schema/criteria.ts';
import type { Verification } from '../../schema/goal.ts';

export interface CriterionEvidence {
  readonly criterionId: string;
  readonly state: CriterionState;
  readonly baseline: BaselineState;
  /** Can this kind carry `verified`? */
  readonly isHostChecked: boolean;
  readonly reason: string;
  /** The call that would satisfy it; absent = the default for its state. */
  readonly remedy?: string | undefined;
  readonly receipts: readonly number[];
  /** For an approval: everything else holds and a person has to approve, or has approved. */
  readonly person?: 'needed' | 'approved';
}

/** A requirement that nothing checks, where the policy wants each one checked. */
export interface RequirementEvidence {
  readonly requirementId: string;
  readonly state: CriterionState;
  readonly reason: string;
  readonly remedy?: string | undefined;
  /** A person has to take it as met, or has. */
  readonly person?: 'needed' | 'approved';
}

/**
 * A question that only a person can answer; each becomes an approval. `subject`: todo item,
 * criterion or requirement.
 */
export type Ask =
  | { readonly kind: 'completion' | 'plan' | 'basis' | 'unknown_effect' | 'tool' }
  | { readonly kind: 'manual' | 'approval' | 'requirement'; readonly subject: string };

/**
 * The findings of checkEvidence; complete commits only if these revisions are still the present
 * ones.
 */
export interface Evidence {
  readonly criteria: readonly CriterionEvidence[];
  /** Absent where the policy leaves them open. */
  readonly requirements?: readonly RequirementEvidence[] | undefined;
  readonly criteriaRevision: number;
  readonly writeSeq: number;
  readonly fingerprint: string;
  /** Changes beyond the scope that the proof needs. */
  readonly weakened: readonly string[];
  /** The entries of `weakened` that a person declined in their present form. */
  readonly declined?: readonly string[];
  /** Paths that somebody else wrote during both looks of the host; absent = none. */
  readonly moved?: readonly string[] | undefined;
  /** When the fingerprint was taken, milliseconds. */
  readonly lookedAt?: number | undefined;
}

export interface GateVerdict {
  /** Null when something is missing or a person has to be asked. */
  readonly verification: Verification | null;
  /** The verification once every ask is granted. */
  readonly promised: Verification | null;
  readonly asks: readonly Ask[];
  /** Ids of criteria and todo items, in a stable order. */
  readonly missing: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly receipts: readonly number[];
}
