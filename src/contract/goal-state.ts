import type { Budget } from '../../schema/budget.ts';
import type { Mode, Pause, WaitOn } from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Counters } from './decision.ts';
import type { LimitReached, TurnKind, WakeChain } from './turn-facts.ts';

export interface Wait {
  readonly on: WaitOn;
  readonly reason: string;
  readonly since: string;
  /** Absolute ISO time at which the clock ends the wait; null = somebody has to act. */
  readonly until: string | null;
  /** Approvals whose decisions end the wait. */
  readonly approvalIds?: readonly string[];
}

/** The fallback model stands in from `since` until `until`; then the first one is tried again. */
export interface Fallback {
  readonly since: string;
  readonly until: string;
  /** The first model's failure that led to the fallback, in the provider's words. */
  readonly reason: string;
}

/** The chart's context; its value says which state. Both are stored as they are. */
export interface GoalContext {
  /** Kind of the next turn, or of the one that runs. */
  readonly next: TurnKind;
  readonly pause: Pause | null;
  readonly limit: LimitReached | null;
  readonly wait: Wait | null;
  /**
   * Call id of a claim that a person let stand: the next turn goes straight to the gate with it.
   */
  readonly claim: string | null;
  /** Limits whose single wrap-up turn was used; raising a limit removes it. */
  readonly wrappedUp: readonly LimitReached['name'][];
  readonly isArchived: boolean;
  /** Kept past its end until a turn of the first model settles; absent = no fallback so far. */
  readonly fallback?: Fallback | null;
  /** Absent = none. */
  readonly chain?: WakeChain | null;
  /** Number of the chain of wakes: raised when a person ends or cancels a chain; absent = 0. */
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

/**
 * The state that a workflow keeps of its goal: small, and equal to the row at the same revision.
 */
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
  /** The goal is a delegate; its parent is notified of its end. */
  readonly isDelegate?: true;
  /** A person's own session works on it: turns begin and end there. */
  readonly isExternal?: true;
}
