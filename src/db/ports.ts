import type { Approval } from '../../schema/approval.ts';
import type { ShownChange } from '../../schema/basis-change.ts';
import type { Budget, UsageFields } from '../../schema/budget.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { Goal, GoalStatus, Mode } from '../../schema/goal.ts';
import type { GoalCounts } from '../../schema/goal-counts.ts';
import type { HistoryPoint, HistoryTurn } from '../../schema/history.ts';
import type { LedgerRow, Outcome } from '../../schema/ledger.ts';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Principal, Role } from '../../schema/role.ts';
import type { Plan, ShownTodoList } from '../../schema/todo.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { Call, Freshness, Turn, TurnCompaction, TurnOutline } from '../../schema/turn.ts';
import type { ChargedStep, StepSums } from '../../schema/usage.ts';
import type { Settling } from '../goal/decision-input.ts';
import type { Decision } from '../goal/facts.ts';
import type { OwnTransition } from '../goal/machine.ts';
import type { GoalState, Mutation, Wait } from '../goal/state.ts';
import type { WaitEnd } from '../goal/wake.ts';
import type { WorktreeProblem } from '../goal/worktree-problem.ts';
import type { SeenAtBaseline } from '../turn/ports.ts';
import type { OperationsReader } from './reader-operations.ts';
import type { PastReader } from './reader-past.ts';
import type { StoredRun } from './runs.ts';

/** One Temporal run of a goal. Writes of any other run are refused with `Superseded`. */
export interface Execution {
  readonly goalId: string;
  readonly epoch: number;
  readonly runId: string;
}

/** The record as the goal's workflow writes it: every method is one transaction. */
export interface RecordPort {
  /**
   * Makes `runId` the goal's writer: compare-and-swap from null, from the predecessor at
   * continue-as-new, or from itself (a retry). Returns the state to go on from.
   * @throws Superseded when another run or epoch holds the goal.
   */
  openExecution(execution: Execution, previousRunId: string | null): Promise<GoalState>;
  /**
   * Locks the row, applies the pure mutation, stores state revision + 1, events and the answer of
   * the request, all in one transaction. `commitId` seen before → the first result.
   * @param execution null for a goal without an open execution: raises the epoch instead.
   * @throws Refusal, Superseded
   */
  commitMutation(
    execution: Execution | null,
    mutation: Mutation,
    goalId: string,
  ): Promise<MutationResult>;
  /** The workflow's own transitions that are no settled turn: begin and end of a wait. */
  commitWait(
    execution: Execution,
    change: { commitId: string; expectedRevision: number; wait: Wait | null },
  ): Promise<GoalState>;
  /**
   * Nobody answered or decided in time: the default answer holds, or the call that was asked about
   * is denied.
   */
  expire(
    execution: Execution,
    change: { commitId: string; expectedRevision: number },
  ): Promise<GoalState>;
  /** The same for what the workflow decides beside waits: another model, a deadline that passed. */
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
   * The wait that the model asked for is over: every bound is read now, and the wake begins or is
   * refused where everybody sees it.
   */
  fireWait(
    execution: Execution,
    change: { commitId: string; expectedRevision: number; how: WaitEnd },
  ): Promise<GoalState>;
  /**
   * Does what the goal's parent asks of it, or ends its wait because a delegate's result is there.
   * Where there is nothing to do, the state comes back as it was.
   */
  heedFamily(
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
   * Stores how each criterion stood at its baseline, once. `detected` become criteria where none
   * were given.
   */
  recordBaseline(
    execution: Execution,
    baseline: Baseline,
    detected?: readonly TrackedCriterion[],
  ): Promise<void>;
}

/** With the goal's state at `expectedRevision`, all that the decision was computed from. */
export interface SettledTurn extends Settling {
  readonly commitId: string;
  readonly expectedRevision: number;
  readonly decision: Decision;
}

export interface Baseline {
  readonly states: Readonly<Record<string, 'met' | 'unmet' | 'not_run'>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Changes of what checks rest on, as a person accepted them: SHA-256, null = gone. */
  readonly accepted?: Readonly<Record<string, string | null>>;
  /** What a criterion compares the end with, by its id. */
  readonly seen?: Readonly<Record<string, SeenAtBaseline>>;
}

export interface MutationResult {
  readonly state: GoalState;
  /** False when the goal had no open execution and now needs one started at `state.epoch`. */
  readonly needsStart: boolean;
}

/** A goal that was validated and resolved (defaults filled in), ready to be accepted. */
export interface NewGoal {
  readonly goalId: string;
  readonly threadId: string;
  readonly parentGoalId: string | null;
  readonly objective: string;
  readonly criteria: readonly TrackedCriterion[];
  /** None were given: the baseline looks for the project's own checks. */
  readonly detectsCriteria?: boolean;
  readonly textTokens?: boolean;
  readonly budget: Budget;
  readonly policy: Policy;
  readonly toolRules?: readonly ToolRule[];
  readonly notify?: readonly NotifyTarget[];
  readonly model: string;
  readonly fallbackModel: string | null;
  readonly mode: Mode;
  readonly workspace: string;
  /**
   * It gets a git worktree of that workspace: `required` refuses where there can be none, `preferred`
   * shares the workspace then.
   */
  readonly worktree?: 'required' | 'preferred';
  readonly isolation: Goal['isolation'];
}

/** A request that changes something, as the API received it. */
export interface StoredRequest {
  readonly principal: Principal;
  /** Method and path with ids filled in: part of the idempotency key. */
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly body: unknown;
  readonly commitId: string;
  readonly goalId: string | null;
}

export type Reserved =
  /** New, or not answered yet: act with this commit id (the first one's). */
  | { readonly kind: 'proceed'; readonly commitId: string }
  /** Answered before. */
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly answer: unknown };

/** What the API writes. */
export interface IntakePort {
  /**
   * One transaction: request row, thread slot, archive of what is replaced, goal and journal row.
   * @throws Refusal goal_conflict (expectedGoalId, expectedRevision and their actual values),
   * idempotency_mismatch
   */
  startGoal(
    request: StoredRequest,
    goal: NewGoal,
    slot: {
      expectedGoalId: string | null | undefined;
      expectedRevision?: number | undefined;
      replace: boolean;
    },
  ): Promise<{ goal: Goal; isNew: boolean; replaced: Execution | null }>;
  /** @throws Refusal idempotency_mismatch */
  reserveRequest(request: StoredRequest): Promise<Reserved>;
  /** What the commit of this request answered, in its own transaction; null = nothing committed. */
  answerOf(commitId: string): Promise<{ httpStatus: number; answer: unknown } | null>;
  /** Forgets a refused request. */
  dropRequest(commitId: string): Promise<void>;
  registerWorkspace(workspace: {
    name: string;
    path: string;
    host: string;
    taskQueue: string;
    marker: string;
    /** The top of a git repository with a commit. */
    isRepository?: boolean;
    /** Why none of its worktrees would be right; null = they would. */
    worktreeProblem?: WorktreeProblem | null;
  }): Promise<void>;
}

/** How the goal can be reached: through its execution, or only through the record. */
export interface Reach {
  readonly goalId: string;
  readonly threadId: string;
  readonly epoch: number;
  readonly runId: string | null;
  readonly status: GoalStatus;
  readonly revision: number;
  readonly isArchived: boolean;
  readonly createdByRole: Role;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface GoalFilter {
  readonly status?: readonly GoalStatus[];
  readonly actor?: readonly Goal['activity']['actor'][];
  readonly q?: string;
  readonly workspace?: string;
  readonly goalIds?: readonly string[];
  /** `waiting`: longest first; `limit`: nearest first. */
  readonly sort: 'newest' | 'oldest' | 'updated' | 'waiting' | 'limit' | 'cost';
  /** Sorted within groups: by who acts next. */
  readonly group?: 'actor' | 'none';
  readonly archived: boolean;
  readonly cursor?: string;
  readonly limit: number;
}

export type CompactionRow = TurnCompaction;
export type TurnRow = Turn;

export interface CallFilter {
  readonly tool?: string;
  readonly outcome?: Outcome | 'running';
  readonly turn?: number;
  readonly q?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface EventRow {
  /** `<goalId>:<seq>` is the SSE id. */
  readonly goalId: string;
  readonly seq: number;
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
}

/** Waits for a person. */
export interface OpenQuestion {
  readonly questionId: string;
  readonly text: string;
  readonly options: string[];
  /** What holds once its time is over. */
  readonly default: string | null;
  /** When it is; null = it waits as long as it takes. */
  readonly until: string | null;
}

/** Where in a goal's life: behind an event, at the end of a turn (now, while it runs), at a time. */
export type PointPlace =
  | { readonly seq: number }
  | { readonly turn: number }
  | { readonly at: string };

/** What the API reads. All of it comes from Postgres. */
export interface ReaderPort extends OperationsReader, PastReader {
  goal(goalId: string): Promise<Goal | null>;
  /** Ids that begin with `prefix`, at most two: enough to tell unique from ambiguous. */
  goalIds(prefix: string): Promise<string[]>;
  threadGoal(threadId: string): Promise<Goal | null>;
  reach(goalId: string): Promise<Reach | null>;
  goals(filter: GoalFilter): Promise<Page<Goal>>;
  goalCounts(): Promise<GoalCounts>;
  /** Newest first, without texts. */
  timeline(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<TurnOutline>>;
  /** Newest first. */
  calls(goalId: string, filter: CallFilter): Promise<Page<Call>>;
  /** By the seq of either row; with what the model saw of its output. */
  call(goalId: string, seq: number): Promise<(Call & { readonly text: string | null }) | null>;
  /** Newest first, from the one below `before` on. */
  turns(
    goalId: string,
    page: { cursor?: string; limit: number; before?: number },
  ): Promise<Page<TurnRow>>;
  ledger(
    goalId: string,
    filter: { tool?: string; outcome?: string; q?: string; cursor?: string; limit: number },
  ): Promise<Page<LedgerRow>>;
  /** `bytes` of the whole output, whatever the range; null for a row that keeps none. */
  output(
    goalId: string,
    seq: number,
    range?: { readonly offset: number; readonly limit: number },
  ): Promise<{ bytes: number; pieces: AsyncIterable<Uint8Array> } | null>;
  /** The tree below a goal, every delegate followed by its own. */
  delegates(goalId: string): Promise<Delegate[]>;
  /** What its running delegates may still use of its budget. */
  setAside(goalId: string): Promise<UsageFields>;
  todos(goalId: string): Promise<ShownTodoList>;
  /** Null where the model wrote none. */
  plan(goalId: string): Promise<Plan | null>;
  /** Sums as they were when each turn settled. */
  usageSeries(goalId: string): Promise<{ turn: number; usage: UsageFields; at: string }[]>;
  /** One row a model call, oldest first: what the sums are made of. */
  usageSteps(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<ChargedStep>>;
  /** The rows of all model calls, added up anew. */
  usageOfSteps(goalId: string): Promise<StepSums>;
  events(goalId: string, afterSeq: number, limit: number): Promise<EventRow[]>;
  /** Temporal's runs that held the goal, oldest first. */
  runs(goalId: string): Promise<StoredRun[]>;
  /** Turns below `before` with their model calls and calls, newest first. */
  historyTurns(
    goalId: string,
    page: { readonly before: number; readonly limit: number },
  ): Promise<Omit<HistoryTurn, 'events' | 'isCut'>[]>;
  /** Number of the goal's newest event; 0 = none. */
  newestEvent(goalId: string): Promise<number>;
  /** What was true then; null where the goal has no such place. */
  point(goalId: string, place: PointPlace): Promise<HistoryPoint | null>;
  question(goalId: string): Promise<OpenQuestion | null>;
  approvals(filter: { goalId?: string; state: 'open' | 'all' }): Promise<Approval[]>;
  /** What the gate said last, for `GET …/gate`. */
  lastGate(goalId: string): Promise<{
    turn: number;
    missing: string[];
    reasons: Record<string, string>;
    /** What its checks rest on and what changed since the baseline. */
    changes: ShownChange[];
    at: string;
  } | null>;
  /** When the newest write came, and when the named rows did: what is fresh and what is not. */
  freshness(goalId: string, seqs: readonly number[]): Promise<Freshness>;
  workspaces(): Promise<
    { name: string; path: string; host: string; leaseGoalId: string | null; writeSeq: number }[]
  >;
  ping(): Promise<void>;
}
