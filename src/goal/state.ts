import type { ApprovalKind } from '../../schema/approval.ts';
import type { Budget, BudgetInput, UsageFields } from '../../schema/budget.ts';
import type { Mode, Pause, WaitOn } from '../../schema/goal.ts';
import type { Policy, PolicyInput } from '../../schema/policy.ts';
import type { Role } from '../../schema/role.ts';
import type { Counters, LimitReached, TurnKind } from './facts.ts';
import type { RewindTo } from './rewind.ts';

export interface Wait {
  readonly on: WaitOn;
  readonly reason: string;
  readonly since: string;
  /** Absolute ISO time at which the clock acts; null = somebody else must. */
  readonly until: string | null;
  /** Approvals that it ends with. */
  readonly approvalIds?: readonly string[];
}

/** Wakes in a row that the model asked for, until a person speaks or something new holds. */
export interface Chain {
  readonly startedAt: string;
  /** Counted when the wake begins, not when it is asked for. */
  readonly length: number;
  /** The goal's tokens when the first one was granted. */
  readonly tokensAtStart: number;
}

/** The fallback model stands in from `since` until `until`; then the first one is tried again. */
export interface Fallback {
  readonly since: string;
  readonly until: string;
  /** What ended the patience with the first model, in the provider's words. */
  readonly reason: string;
}

/** The chart's context; its value says which state. Both are stored as they are. */
export interface GoalContext {
  /** Kind of the next turn, or of the one that runs. */
  readonly next: TurnKind;
  readonly pause: Pause | null;
  readonly limit: LimitReached | null;
  readonly wait: Wait | null;
  /** Call of a claim that a person let stand: the next turn takes it to the gate again, at once. */
  readonly claim: string | null;
  /** Limits whose one wrap-up was given; raising a limit takes it off. */
  readonly wrappedUp: readonly LimitReached['name'][];
  readonly isArchived: boolean;
  /** Also past its end, until a turn of the first model settles; absent = never fell back. */
  readonly fallback?: Fallback | null;
  /** Absent = none. */
  readonly chain?: Chain | null;
  /** Of chains: one more whenever a person ends or cancels them; absent = 0. */
  readonly generation?: number;
}

export type ChartValue =
  | { readonly active: 'running' | 'waiting' }
  | 'paused'
  | { readonly budget_limited: 'wrapping_up' | 'stopped' }
  | 'complete';

export interface ChartSnapshot {
  readonly value: ChartValue;
  readonly context: GoalContext;
}

/** What a workflow keeps of its goal: equal to the row at the same revision, and small. */
export interface GoalState {
  readonly goalId: string;
  readonly epoch: number;
  readonly revision: number;
  readonly chart: ChartSnapshot;
  readonly counters: Counters;
  readonly policy: Policy;
  readonly budget: Budget;
  readonly mode: Mode;
  readonly criteriaRevision: number;
  /** Number of the newest turn; 0 before the first. */
  readonly turn: number;
  /** Is that turn still unsettled? */
  readonly isTurnOpen: boolean;
  /** Task queue of the goal's workspace. */
  readonly taskQueue: string;
  /** Absent where an earlier version stored the state. */
  readonly hasFallbackModel?: boolean;
  /** It works for another goal, which hears of its end. */
  readonly isDelegate?: true;
}

/**
 * A mutation by a person or program. Texts stay in the `request` row that `commitId` names; only
 * what the rules need travels.
 */
export type Mutation = {
  /** Commit id, request id and Temporal update id. */
  readonly commitId: string;
  readonly role: Role;
  /** Name of the principal. */
  readonly by: string;
  readonly expectedRevision?: number | undefined;
} & MutationKind;

export interface JudgedPrices {
  readonly model: string;
  readonly fallbackModel: string | null;
  readonly costUsd: string | null;
}

export type MutationKind =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume'; readonly acknowledge: boolean }
  | {
      readonly kind: 'amend';
      /** What the API knew when it found the models' prices fit for the cost limit. */
      readonly judged?: JudgedPrices | undefined;
      readonly budget?: BudgetInput | undefined;
      readonly policy?: PolicyInput | undefined;
      readonly changesCriteria: boolean;
      readonly changesModel?: boolean | undefined;
    }
  | { readonly kind: 'message'; readonly delivery: 'pause' | 'steer' }
  | { readonly kind: 'answer'; readonly questionId: string }
  | {
      readonly kind: 'approval';
      readonly approvalId: string;
      readonly decision: 'approve' | 'deny';
    }
  | { readonly kind: 'cancel_chain' }
  | ({ readonly kind: 'rewind' } & RewindTo)
  | { readonly kind: 'complete' }
  | { readonly kind: 'clear' };

export interface ApprovalSubject {
  readonly kind: 'approval';
  readonly approvalKind: ApprovalKind;
  readonly isOpen: boolean;
  /** Others that the goal stands on and nobody has decided. */
  readonly openBeside: number;
  /** The claim that it is about. */
  readonly callId: string | null;
}

/** The row as far as the pure rules of a mutation need it, read under the row's lock. */
export interface MutationGround {
  readonly state: GoalState;
  readonly usage: UsageFields;
  /** The approval or question that the mutation names; null when there is none such. */
  readonly subject:
    | ApprovalSubject
    | { readonly kind: 'question'; readonly isOpen: boolean }
    | null;
}
