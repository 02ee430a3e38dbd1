import type { Selectable } from 'kysely';
import type { Approval, ApprovalKind } from '../../schema/approval.ts';
import type { AttachmentRef, GoalAttachment } from '../../schema/attachment.ts';
import type { Budget, UsageFields } from '../../schema/budget.ts';
import type { Cadence } from '../../schema/cadence.ts';
import type { Rewind } from '../../schema/checkpoint.ts';
import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type {
  DelegateOutcome,
  DelegateReturn,
  DelegateShare,
  DelegateState,
} from '../../schema/delegate.ts';
import type { DisputeState } from '../../schema/dispute.ts';
import type { Activity, Completion, GoalStatus, Mode, Pause } from '../../schema/goal.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { Isolation } from '../../schema/isolation.ts';
import type { Effect, Outcome, Receipt, SealKind } from '../../schema/ledger.ts';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { RefusedWorkspace } from '../../schema/operations.ts';
import type { Policy } from '../../schema/policy.ts';
import type { ProofBase } from '../../schema/proof-bundle.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { Requirement } from '../../schema/requirement.ts';
import type { Role } from '../../schema/role.ts';
import type { CatchUp, Overlap, SchedulePause, ScheduleRunState } from '../../schema/schedule.ts';
import type { StoredScope } from '../../schema/scope.ts';
import type { TodoItem } from '../../schema/todo.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { StoredRequest } from '../contract/asked-request.ts';
import type { StoredCheckpoint } from '../contract/checkpoints.ts';
import type { Author, MessageContent } from '../contract/conversation.ts';
import type { Counters } from '../contract/decision.ts';
import type { DisputeBody } from '../contract/dispute.ts';
import type { StoredBaseline } from '../contract/goal-brief.ts';
import type { ChartSnapshot } from '../contract/goal-state.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { JournaledStep, StepKind } from '../contract/journal.ts';
import type { ToolDeclaration } from '../contract/model.ts';
import type { TurnRow } from '../contract/reads.ts';
import type { ScheduleAction } from '../contract/schedules.ts';
import type { SessionReport } from '../contract/session-report.ts';
import type { WritePlan } from '../contract/tool-call.ts';
import type { TurnKind } from '../contract/turn-facts.ts';
import type { WorktreeBeginning, WorktreeProblem, WorktreeResult } from '../contract/worktrees.ts';
import type { DB } from './generated/tables.ts';

type Score = NonNullable<TurnRow['decision']>['score'];

type Tables = { readonly [Table in keyof DB]: Selectable<DB[Table]> };

/**
 * These columns of a table, as `sql` gives them: times are ISO strings, bigint a number, numeric an
 * exact string. Tables and columns come from schema.prisma: a column that it doesn't have is an
 * error wherever it is named.
 */
export type Row<Table extends keyof DB, Column extends keyof Tables[Table]> = {
  readonly [Name in Column]: Table extends keyof Held
    ? Name extends keyof Held[Table]
      ? Held[Table][Name]
      : Tables[Table][Name]
    : Tables[Table][Name];
};

/** The same for a LEFT JOIN that may find no row. */
export type OuterRow<Table extends keyof DB, Column extends keyof Tables[Table]> = {
  readonly [Name in Column]: Row<Table, Column>[Name] | null;
};

/** Types of JSON columns, and of text columns with few values. */
interface Held {
  readonly approval: Holding<
    'approval',
    {
      kind: ApprovalKind;
      data: Approval['data'];
      state: Approval['state'];
      accepted: Criterion | null;
    }
  >;
  readonly attachment: Holding<'attachment', { ref: AttachmentRef }>;
  readonly proof_finding: Holding<
    'proof_finding',
    { changes: ShownChange[]; proof: GoalProof | null; base: ProofBase | null }
  >;
  readonly checkpoint: Holding<
    'checkpoint',
    { kind: StoredCheckpoint['kind']; left_out: string[]; unread: string[] }
  >;
  readonly decision: Holding<
    'decision',
    {
      outcome: { ruleName?: string; reasons?: Record<string, string>; isWarning?: boolean };
      score: Score;
      missing: string[];
      usage: UsageFields;
    }
  >;
  readonly delegate: Holding<
    'delegate',
    {
      files: string[];
      mode: Mode;
      returns: DelegateReturn;
      state: DelegateState;
      reserved: DelegateShare | null;
      outcome: DelegateOutcome | null;
    }
  >;
  readonly dispute: Holding<'dispute', { body: DisputeBody; state: DisputeState | 'staged' }>;
  readonly following_goals: Holding<'following_goals', { goals: NewGoal[] }>;
  readonly goal: Holding<
    'goal',
    {
      mode: Mode;
      status: GoalStatus;
      snapshot: ChartSnapshot;
      counters: Counters;
      pause: Pause | null;
      activity: Activity;
      completion: Completion | null;
      criteria: TrackedCriterion[];
      baseline: StoredBaseline | null;
      budget: Budget;
      policy: Policy;
      scope: StoredScope | null;
      setup: string[] | null;
      tool_rules: ToolRule[];
      notify: NotifyTarget[];
      created_by_role: Role;
      isolation: Isolation;
      attachments: AttachmentRef[] | null;
    }
  >;
  readonly goal_attachment: Holding<
    'goal_attachment',
    { source: GoalAttachment['source']; ref: AttachmentRef }
  >;
  readonly inbox: Holding<
    'inbox',
    {
      voice: 'person' | 'agent' | 'host';
      /** For delegates: whether the result wakes the goal and is shown to people as a message. */
      delivery: 'pause' | 'steer' | 'wake' | 'silent' | 'silent_wake';
      attachments: AttachmentRef[] | null;
    }
  >;
  readonly journal: Holding<'journal', { isolation: Isolation | null }>;
  readonly ledger: Holding<
    'ledger',
    {
      phase: 'started' | 'settled';
      effect: Effect;
      outcome: Outcome | null;
      body: LedgerBody;
    }
  >;
  readonly message: Holding<'message', { voice: Author; content: MessageContent }>;
  readonly question: Holding<'question', { options: string[] }>;
  readonly requirement_list: Holding<'requirement_list', { items: Requirement[] }>;
  readonly rewind: Holding<
    'rewind',
    {
      state: Rewind['state'];
      result: Pick<Rewind, 'changed' | 'left' | 'reason' | 'code' | 'edited'> | null;
    }
  >;
  readonly schedule: Holding<
    'schedule',
    {
      cadence: Cadence;
      overlap: Overlap;
      catch_up: CatchUp;
      action: ScheduleAction;
      owner_role: Role;
      pause_reason: SchedulePause | null;
    }
  >;
  readonly schedule_run: Holding<'schedule_run', { state: ScheduleRunState }>;
  readonly seal: Holding<'seal', { kind: SealKind }>;
  readonly session_report: Holding<
    'session_report',
    { kind: SessionReport['kind']; body: unknown }
  >;
  readonly step: Holding<
    'step',
    {
      kind: StepKind;
      state: JournaledStep['state'];
      finish_reason: JournaledStep['finishReason'];
      request: StoredRequest | null;
    }
  >;
  readonly sent_prompt: Holding<'sent_prompt', { tools: ToolDeclaration[] }>;
  readonly todo_list: Holding<'todo_list', { items: TodoItem[] }>;
  readonly turn: Holding<'turn', { kind: TurnKind; state: 'open' | 'settled' }>;
  readonly worker: Holding<
    'worker',
    {
      task_queues: string[];
      models: string[];
      tools: string[];
      isolation: Isolation;
      refused: RefusedWorkspace[];
    }
  >;
  readonly workspace: Holding<
    'workspace',
    {
      worktree_problem: WorktreeProblem | null;
      result: WorktreeResult | { begins: WorktreeBeginning } | null;
    }
  >;
}

/** A type error for a name that is no column. */
type Holding<
  Table extends keyof DB,
  Columns extends { [Name in keyof Columns]: Name extends keyof DB[Table] ? unknown : never },
> = Columns;

/** The part of a ledger's row that is stored as one jsonb value. */
export interface LedgerBody {
  readonly arguments?: unknown;
  readonly plan?: WritePlan;
  readonly receipt?: Receipt;
}
