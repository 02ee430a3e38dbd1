import type { Approval } from '../../schema/approval.ts';
import type { UsageFields } from '../../schema/budget.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { Past } from '../../schema/estimate.ts';
import type { Goal, GoalStatus } from '../../schema/goal.ts';
import type { GoalCounts } from '../../schema/goal-counts.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { HistoryPoint, HistoryTurn } from '../../schema/history.ts';
import type { Inbox } from '../../schema/inbox.ts';
import type { LedgerRow, Outcome } from '../../schema/ledger.ts';
import type { ModelCall } from '../../schema/model-call.ts';
import type { LedgerSegment, ProofBase } from '../../schema/proof-bundle.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { Role } from '../../schema/role.ts';
import type { SentMessage } from '../../schema/sent-message.ts';
import type { Plan, ShownTodoList } from '../../schema/todo.ts';
import type { Call, Freshness, Turn, TurnCompaction, TurnOutline } from '../../schema/turn.ts';
import type { ChargedStep, StepSums } from '../../schema/usage.ts';
import type { KeptModelCall } from './asked-request.ts';
import type { NewGoal, Tree } from './intake.ts';
import type { StepPlace } from './journal.ts';
import type { OperationsReader } from './operations-reads.ts';
import type { RemovedGoalReader } from './removed-goals.ts';
import type { Owned, Sight } from './sight.ts';
import type { WorkspaceReader } from './workspace-reads.ts';
import type { WorktreeBeginning } from './worktrees.ts';

/** Whether the goal is reached through its execution or only through the record. */
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

/** `total` counts also what lies beyond the limit. */
export type InboxPage = Pick<Inbox, 'items' | 'total'>;

export interface GoalFilter {
  readonly sight: Sight;
  readonly status?: readonly GoalStatus[];
  readonly actor?: readonly Goal['activity']['actor'][];
  readonly q?: string;
  readonly workspace?: string;
  readonly model?: string;
  /** Paused for one of these. */
  readonly reason?: readonly NonNullable<Goal['pause']>['reason'][];
  /** Started then or later. */
  readonly since?: string;
  readonly goalIds?: readonly string[];
  /** `waiting`: longest first; `limit`: nearest first. */
  readonly sort: 'newest' | 'oldest' | 'updated' | 'waiting' | 'limit' | 'cost';
  /** Sorted within groups: by who acts next. */
  readonly group?: 'actor' | 'none';
  readonly archived: boolean;
  readonly cursor?: string;
  readonly limit: number;
}

export interface HoldingFilter {
  readonly sight: Sight;
  readonly q: string;
  readonly cursor?: string;
  /** Of goals that are found. */
  readonly limit: number;
}

export interface HoldingGoal {
  readonly goalId: string;
  /** From which the search looks on behind this one. */
  readonly cursor: string;
}

export type CompactionRow = TurnCompaction;

export type TurnRow = Turn;

export interface CallFilter {
  readonly tool?: string;
  readonly outcome?: Outcome | 'running';
  readonly turn?: number;
  readonly q?: string;
  /** How far `q` is looked for in outputs: as far as the model saw them, or (else) in the whole. */
  readonly outputs?: 'seen';
  readonly cursor?: string;
  readonly limit: number;
}

export interface ApprovalFilter {
  readonly state: 'open' | 'all';
  readonly sight: Sight;
  /** Only those of this goal. */
  readonly goalId?: string;
}

export interface EventRow {
  /** `<goalId>:<seq>` is the SSE id. */
  readonly goalId: string;
  readonly seq: number;
  readonly type: string;
  readonly data: unknown;
  readonly at: string;
}

export interface AnsweredQuestion {
  readonly questionId: string;
  readonly by: string;
  readonly at: string;
}

/** A question that waits for a person. */
export interface OpenQuestion {
  readonly questionId: string;
  readonly text: string;
  readonly options: string[];
  /** Default answer that applies at `until`. */
  readonly default: string | null;
  /** When the default answer applies; null = never. */
  readonly until: string | null;
}

/**
 * A point in a goal's history: behind an event, at the end of a turn (now, while it runs), or at a
 * time.
 */
export type PointPlace =
  | { readonly seq: number }
  | { readonly turn: number }
  | { readonly at: string };

/**
 * The API's reads. All of them come from Postgres. One that reads more than one goal takes the
 * sight of whom it reads for.
 */
export interface ReaderPort
  extends OperationsReader,
    PastReader,
    RemovedGoalReader,
    WorkspaceReader {
  goal(goalId: string): Promise<Goal | null>;
  /** Who started it, and where it works, also of one that was removed; null for an unknown goal. */
  owner(goalId: string): Promise<Owned | null>;
  /** Ids in sight that begin with `prefix`, at most two: enough to tell unique from ambiguous. */
  goalIds(prefix: string, sight: Sight): Promise<string[]>;
  threadGoal(threadId: string): Promise<Goal | null>;
  reach(goalId: string): Promise<Reach | null>;
  goals(filter: GoalFilter): Promise<Page<Goal>>;
  goalCounts(sight: Sight): Promise<GoalCounts>;
  /**
   * Goals in sight whose turns, messages or ledger hold `q`, last changed first. It looks for about
   * a second, and the cursor looks on from there.
   */
  goalsHolding(filter: HoldingFilter): Promise<Page<HoldingGoal>>;
  /**
   * Whether a goal on this workspace may begin with what another one had written after a turn, and with
   * which checkpoint.
   * @throws Refusal
   */
  beginning(begins: NonNullable<NewGoal['begins']>, workspace: string): Promise<WorktreeBeginning>;
  /**
   * Whether a goal on this workspace may have a worktree of its own.
   * @param tree as it was looked at now; null = as it was registered
   * @throws Refusal
   */
  assertTakesWorktree(workspace: string, tree: Tree | null): Promise<void>;
  /** What people and programs sent it, newest first, at most 200. */
  sentMessages(goalId: string): Promise<SentMessage[]>;
  /** Newest first, without texts. */
  timeline(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<TurnOutline>>;
  /** Newest first. */
  calls(goalId: string, filter: CallFilter): Promise<Page<Call>>;
  /** The call with this seq of either row, with what the model saw of its output. */
  call(goalId: string, seq: number): Promise<(Call & { readonly text: string | null }) | null>;
  /** Newest first, from the one below `before` on; with `q`, those whose words hold it. */
  turns(
    goalId: string,
    page: { cursor?: string; limit: number; before?: number; q?: string },
  ): Promise<Page<TurnRow>>;
  ledger(
    goalId: string,
    filter: { tool?: string; outcome?: string; q?: string; cursor?: string; limit: number },
  ): Promise<Page<LedgerRow>>;
  /** `bytes` is the size of the whole output; null for a row without output. */
  output(
    goalId: string,
    seq: number,
    range?: { readonly offset: number; readonly limit: number },
  ): Promise<{ bytes: number; pieces: AsyncIterable<Uint8Array> } | null>;
  /** The tree below a goal, every delegate followed by its own. */
  delegates(goalId: string): Promise<Delegate[]>;
  /** The part of its budget that its running delegates may still use. */
  setAside(goalId: string): Promise<UsageFields>;
  todos(goalId: string): Promise<ShownTodoList>;
  /** Null where the model wrote none. */
  plan(goalId: string): Promise<Plan | null>;
  /** Sums as they were when each turn settled. */
  usageSeries(goalId: string): Promise<{ turn: number; usage: UsageFields; at: string }[]>;
  /** The charged rows of all model calls, oldest first. */
  usageSteps(goalId: string, page: { cursor?: string; limit: number }): Promise<Page<ChargedStep>>;
  /** The model calls of one turn, in their order. */
  modelCalls(goalId: string, turn: number): Promise<ModelCall[]>;
  /** One of them with its request and its answer; null = there is none. */
  modelCall(goalId: string, place: StepPlace): Promise<KeptModelCall | null>;
  /** Sums computed from the rows of all model calls. */
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
  /** Events up to this number were removed, because the goal ended long ago; 0 = none was. */
  eventsPrunedTo(goalId: string): Promise<number>;
  /** The goal's state at that point; null when the goal has no such point. */
  point(goalId: string, place: PointPlace): Promise<HistoryPoint | null>;
  question(goalId: string): Promise<OpenQuestion | null>;
  /** Who answered the goal's newest answered question. */
  answered(goalId: string): Promise<AnsweredQuestion | null>;
  /** Oldest first. */
  disputes(goalId: string): Promise<Dispute[]>;
  approvals(filter: ApprovalFilter): Promise<Approval[]>;
  /** All that waits for a person: what holds a goal first, then the oldest. */
  inbox(sight: Sight, limit: number): Promise<InboxPage>;
  /** The last gate's findings, for `GET …/gate`. */
  lastGate(goalId: string): Promise<{
    turn: number;
    missing: string[];
    reasons: Record<string, string>;
    /** Changes beyond the scope that its proof needs. */
    changes: ShownChange[];
    /** How the completion was proven; null where it was not. */
    proof: GoalProof | null;
    at: string;
  } | null>;
  /** How others make the original of this gate's proof again. */
  proofBase(goalId: string, turn: number): Promise<ProofBase>;
  /** From the first of the `whole` rows, or else the last, to the ledger's head as this turn left it. */
  ledgerSegment(goalId: string, turn: number, whole: readonly number[]): Promise<LedgerSegment>;
  /** Times of the newest write and of the named rows, which tell fresh evidence from stale. */
  freshness(goalId: string, seqs: readonly number[]): Promise<Freshness>;
  ping(): Promise<void>;
}

/** Usage of earlier goals in sight, for estimates. */
export interface PastReader {
  past(model: string, workspace: string, sight: Sight): Promise<Past>;
}

/** A run of Temporal's that held a goal. */
export interface StoredRun {
  readonly number: number;
  readonly epoch: number;
  readonly runId: string;
  /** The turn that it went on with, or the next one to come. */
  readonly firstTurn: number;
  readonly openedAt: string;
}
