import type { Budget } from '../../schema/budget.ts';
import type { Mode, Pause, WaitOn } from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Counters } from './decision.ts';
import type { LimitReached, TurnKind, WakeChain } from './turn-facts.ts';

export interface Wait {
  readonly on: WaitOn;
  readonly reason: string;
  readonly since: string;
  /** Absolute ISO time at which the clock acts; null = somebody else must. */
  readonly until: string | null;
  /** Approvals that it ends with. */
  readonly approvalIds?: readonly string[];
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
  readonly chain?: WakeChain | null;
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
