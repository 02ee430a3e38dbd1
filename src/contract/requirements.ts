import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Requirement } from '../../schema/requirement.ts';

/** A change of the requirements that only a person can make. */
export interface RequirementChange {
  readonly requirementId: string;
  /** Null: it is removed. */
  readonly to: Pick<Requirement, 'text' | 'criteria'> | null;
}

/** What a change of the requirements is judged by, as it is now. */
export interface RequirementGround {
  readonly requirements: readonly Requirement[];
  readonly criteria: readonly TrackedCriterion[];
  /** A person has still to decide about a proposed change. */
  readonly openChange: boolean;
  readonly declinedChanges: readonly (readonly RequirementChange[])[];
}

/** A change of the requirements as it is put to a person. */
export interface ProposedRequirementChange {
  readonly changes: readonly RequirementChange[];
  readonly describes: readonly string[];
}
