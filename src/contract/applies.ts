import type { AppliedBranch } from '../../schema/applied-branch.ts';
import type { Principal } from '../../schema/role.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { GoalEnd } from './worktrees.ts';

/** All that Temporal is told of a branch that is to be applied. */
export interface ApplyRef {
  readonly goalId: string;
  readonly commitId: string;
}

/** A goal's branch, and the workspace that it was made from; nobody else works in either. */
export interface ApplyGround extends ApplyRef {
  readonly branch: string;
  /** The goal's own tree; empty = it is gone, and all of its work is on the branch. */
  readonly treePath: string;
  /** The commit that the tree was made from; null = nobody knows. */
  readonly base: string | null;
  readonly workspace: { readonly name: string; readonly path: string };
  /** What placed files for an earlier try, and may be at it. */
  readonly formerHelper: ProcessIdentity | null;
}

/** The record's access to branches that people have applied. */
export interface AppliesOnHost {
  /** What the branch is to end with; null = the goal is not complete. */
  endOf(goalId: string): Promise<GoalEnd | null>;
  /**
   * The queue that serves the workspace.
   * @throws OrderRefused, Refusal
   */
  queueOf(ref: ApplyRef): Promise<string>;
  /**
   * Takes the leases of the workspace and of the goal's own tree, both or none.
   * @throws OrderRefused, Refusal workspace_busy, cannot_apply, invalid_transition
   */
  take(
    ref: ApplyRef,
    by: { readonly host: string; readonly workerId: string },
  ): Promise<ApplyGround>;
  /** Before the first effect: whoever takes the workspace back ends it first. */
  recordHelper(ref: ApplyRef, helper: ProcessIdentity): Promise<void>;
  /** Records it once, and gives both leases back. */
  tellApplied(ref: ApplyRef, applied: AppliedBranch): Promise<void>;
  giveBack(ref: ApplyRef): Promise<void>;
  /** The leases stay, and nobody is at it: the reconciler of the host goes on with it. */
  leave(ref: ApplyRef): Promise<void>;
}

/** Brings a goal's branch into the workspace that it was made from. */
export interface AppliesPort {
  /**
   * @param order a repeat under the same commit id is the same one
   * @throws Refusal
   */
  apply(order: ApplyRef & { readonly principal: Principal }): Promise<AppliedBranch>;
}

/** Seconds that a worker may take for it, and that it may wait for a worker. */
export const APPLY_SECONDS = 150;
export const APPLY_PATIENCE_SECONDS = 10;

/** Holds the leases. */
export const leaseOfApply = ({ commitId }: Pick<ApplyRef, 'commitId'>): string =>
  `apply-${commitId}`;

/** Null: the lease is that of a check. */
export const commitOfLease = (leaseId: string): string | null =>
  leaseId.startsWith('apply-') ? leaseId.slice('apply-'.length) : null;
