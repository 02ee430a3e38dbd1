import type { UsageFields } from '../../schema/budget.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Decision, Settling } from './decision.ts';
import type { Fence } from './fence.ts';
import type { SeenAtBaseline, StoredBaseline } from './goal-brief.ts';
import type { OwnTransition } from './goal-event.ts';
import type { GoalState, Wait } from './goal-state.ts';
import type { RewindTo } from './mutation.ts';
import type { OrderRef } from './orders.ts';
import type { TurnFacts } from './turn-facts.ts';
import type { WaitEnd } from './wake-request.ts';

/** One Temporal run of a goal. Writes of any other run are refused with `Superseded`. */
export interface Execution {
  readonly goalId: string;
  readonly epoch: number;
  readonly runId: string;
  /** The installation that started it; absent where an earlier version did. */
  readonly installation?: string;
}

/** The record as the goal's workflow writes it: every method is one transaction. */
export interface RecordPort {
  /**
   * Makes `runId` the goal's writer: compare-and-swap from null, from the predecessor at
   * continue-as-new, or from itself (a retry). Returns the state to go on from.
   * @throws Superseded when another run or epoch holds the goal; OrderRefused when the record knows
   * no such goal, or no such epoch yet; OtherInstallation when this isn't the record it began in.
   */
  openExecution(execution: Execution, previousRunId: string | null): Promise<GoalState>;
  /**
   * Locks the row, reads the stored order, applies its pure mutation, stores state revision + 1,
   * events and the answer of the request, all in one transaction. `commitId` seen before → the
   * first result.
   * @param execution null for a goal without an open execution: raises the epoch instead.
   * @throws Refusal, OrderRefused, Superseded
   */
  commitMutation(
    execution: Execution | null,
    order: OrderRef,
    goalId: string,
  ): Promise<MutationResult>;
  /** The workflow's own transitions that are no settled turn: begin and end of a wait. */
  commitWait(
    execution: Execution,
    change: { commitId: string; expectedRevision: number; wait: Wait | null },
  ): Promise<GoalState>;
  /** Applies a timeout: the default answer holds, or the call that was asked about is denied. */
  expire(
    execution: Execution,
    change: { commitId: string; expectedRevision: number },
  ): Promise<GoalState>;
  /** Commits the workflow's other own transitions: a fallback model, a passed deadline. */
  commitTransition(
    execution: Execution,
    change: { commitId: string; expectedRevision: number; event: OwnTransition },
  ): Promise<GoalState>;
  /**
   * Ends the wait for a workspace, and takes its lease with the same commit, if it is free and
   * nobody stands in line before this goal. Otherwise the state comes back as it was.
   */
  endWorkspaceWait(
    execution: Execution,
    change: { commitId: string; expectedRevision: number },
  ): Promise<GoalState>;
  /**
   * Ends the wait that the model asked for. Every bound is read at this moment: the wake begins or
   * is refused with an event.
   */
  fireWait(
    execution: Execution,
    change: { commitId: string; expectedRevision: number; how: WaitEnd },
  ): Promise<GoalState>;
  /**
   * Applies what the goal's parent asks of it, or ends its wait because a delegate's result
   * arrived. Without either, the state is unchanged.
   */
  syncDelegation(
    execution: Execution,
    change: { commitId: string; expectedRevision: number },
  ): Promise<GoalState>;
  /**
   * Settles a turn: decision record, result of the open claim or question call, counters, chart
   * transition, revision + 1. For `complete`, the criteria revision, writeSeq and unread messages
   * are compared under the lock.
   * @returns null when those moved: evidence must be gathered again.
   */
  recordTurn(execution: Execution, turn: SettledTurn): Promise<GoalState | null>;
  /**
   * Decides on a turn whose slice is at its end, and settles it as {@link recordTurn} does, in one
   * transaction. For the attempt that holds the goal only.
   * @returns null where the workflow has to do it: the decision rests on evidence, the turn waits
   * for something first, the goal is closed or of a family, or the turn is settled already
   * @throws Superseded
   */
  settleSlice(execution: Execution, fence: Fence, slice: EndedSlice): Promise<SettledSlice | null>;
  /**
   * Stores how each criterion stood at its baseline, once. `detected` become criteria where none
   * were given.
   */
  recordBaseline(
    execution: Execution,
    baseline: Baseline,
    detected?: readonly TrackedCriterion[],
  ): Promise<void>;
}

/** The complete input of the decision, together with the goal's state at `expectedRevision`. */
export interface SettledTurn extends Settling {
  readonly commitId: string;
  readonly expectedRevision: number;
  readonly decision: Decision;
}

/** What a slice knows at its end. */
export interface EndedSlice {
  readonly facts: TurnFacts;
  /** Of the whole goal. */
  readonly usage: UsageFields;
}

export interface SettledSlice {
  readonly state: GoalState;
  readonly turn: SettledTurn;
}

export interface Baseline {
  readonly states: Readonly<Record<string, 'met' | 'unmet' | 'not_run'>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Changes beyond the scope, by name, as a person accepted their contents; null = gone. */
  readonly accepted?: Readonly<Record<string, string | null>>;
  /** State at the baseline that each criterion is compared with, by criterion id. */
  readonly seen?: Readonly<Record<string, SeenAtBaseline>>;
  /** What the goal's proof is measured against; absent where the workspace alone is looked at. */
  readonly proof?: NonNullable<StoredBaseline['proof']>;
}

export interface MutationResult {
  readonly state: GoalState;
  /** False when the goal had no open execution and now needs one started at `state.epoch`. */
  readonly needsStart: boolean;
  /** A program's message changes nothing of what the goal waits for. */
  readonly isQuiet?: boolean;
  /** The goal that carries out the plan which was approved: accepted, and not started yet. */
  readonly handedTo?: string;
  /** Nothing is committed: a rewind to here was ordered, and its turn has to end first. */
  readonly rewind?: RewindTo['to'];
}
