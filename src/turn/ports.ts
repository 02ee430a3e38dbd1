import type { Approval } from '../../schema/approval.ts';
import type { Budget, UsageFields } from '../../schema/budget.ts';
import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type { DelegateReturn } from '../../schema/delegate.ts';
import type { Mode } from '../../schema/goal.ts';
import type { Effect, LedgerRow, Outcome, Receipt } from '../../schema/ledger.ts';
import type { Policy } from '../../schema/policy.ts';
import type { TodoItem, TodoList } from '../../schema/todo.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { GitBasis } from '../evidence/git/read-git.ts';
import type { DecidedApproval } from '../goal/approvals.ts';
import type {
  DelegateFacts,
  FinishReason,
  LimitReached,
  ProviderTrouble,
  TurnKind,
} from '../goal/facts.ts';
import type { Fallback } from '../goal/state.ts';
import type { StoredElection } from '../goal/wake.ts';
import type { ProcessIdentity as LocalProcess } from '../process/process-identity.ts';
import type { Compaction, CompactionReason, Conversation } from './compaction-record.ts';

/** Names the attempt that may write: beginnings and endings carry it. */
export interface Fence {
  readonly goalId: string;
  readonly epoch: number;
  readonly token: number;
}

/** A process of one of several machines. */
export interface ProcessIdentity extends LocalProcess {
  readonly host: string;
  /**
   * The first process of a PID namespace: the kernel ends all others there with it, and lets it be
   * gone only behind them (pid_namespaces(7)).
   */
  readonly isInit?: boolean;
}

export interface RequestedCall {
  /** Unique in the goal: `t<turn>.s<step>.<index>`; the provider's own id is in `providerId`. */
  readonly callId: string;
  readonly providerId: string;
  readonly tool: string;
  /** Raw JSON text as the model wrote it. */
  readonly input: string;
  /** As it is stored, a secret was taken out of it: it can't be run as it stands. */
  readonly isMasked?: true;
}

export interface CallUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Exact decimal string. */
  readonly costUsd: string;
  readonly isEstimated: boolean;
  readonly pricesVersion: string | null;
}

/** Model calls of a gate are steps of its turn, far behind those that the turn took itself. */
export const FIRST_GATE_STEP = 100_000;
/** So are those that summarise the conversation, by the number of their compaction. */
export const FIRST_COMPACTION_STEP = 1_000_000_000;

export interface JournaledStep {
  readonly step: number;
  readonly attempt: number;
  readonly token: number;
  readonly state: 'sent' | 'committed' | 'lost' | 'failed';
  readonly model: string;
  readonly finishReason: FinishReason | null;
  readonly estimatedInput: number;
  readonly reservedOutput: number;
  /** What it is charged if nobody hears its end. */
  readonly ifLost: CallUsage;
  /** It ended, and cost something. */
  readonly isCharged: boolean;
  /** Its provider failed it, and has to be paid all the same. */
  readonly isPaidFailure: boolean;
  readonly text: string;
  readonly calls: readonly RequestedCall[];
}

export type Voice = 'person' | 'agent' | 'host' | 'model' | 'tool';

/** `model` has text and calls, `tool` has callId, tool and text; the others have text. */
export interface MessageContent {
  readonly text: string;
  readonly calls?: readonly RequestedCall[];
  /** Taken off the text: what the model wrote instead of a call. */
  readonly token?: string;
  readonly callId?: string;
  readonly providerId?: string;
  readonly tool?: string;
  readonly isError?: boolean;
  /** The goal as recorded: made anew for each request, and never stored. */
  readonly isBlock?: boolean;
  /** For the model only: people see the delegate, not its message. */
  readonly isQuiet?: boolean;
  /** Opaque provider parts that must go back verbatim (reasoning signatures). */
  readonly providerParts?: unknown;
}

export interface StoredMessage {
  readonly seq: number;
  readonly turn: number;
  readonly step: number | null;
  readonly voice: Voice;
  readonly content: MessageContent;
}

/** Everything that a slice needs to go on behind the last journaled step. */
export interface TurnRecord {
  readonly steps: readonly JournaledStep[];
  readonly started: readonly LedgerRow[];
  readonly settled: readonly LedgerRow[];
}

export interface GoalBrief {
  readonly goalId: string;
  readonly objective: string;
  readonly mode: Mode;
  readonly model: string;
  readonly fallbackModel: string | null;
  /** Set while, or after, the fallback model stands in. */
  readonly fallback: Fallback | null;
  /** Of the goal, as this was read. */
  readonly revision: number;
  readonly criteria: readonly TrackedCriterion[];
  readonly criteriaRevision: number;
  readonly budget: Budget;
  /** With its delegates. */
  readonly usage: UsageFields;
  /** What running delegates may still spend of its budget; absent = nothing. */
  readonly setAside?: UsageFields;
  readonly policy: Policy;
  /** Which calls run, ask or are refused; absent = none of its own. */
  readonly toolRules?: readonly ToolRule[];
  readonly todos: TodoList;
  /** The plan as the model last wrote it; null where it wrote none. */
  readonly plan: string | null;
  readonly workspace: {
    readonly name: string;
    readonly path: string;
    readonly marker: string;
    readonly writeSeq: number;
    /** Of a worktree: the workspace that it was made from, and its branch. */
    readonly origin?: string | null;
    readonly branch?: string | null;
  };
  /** The newest checkpoint; null = there is none. */
  readonly checkpoint?: { readonly turn: number; readonly writeSeq: number } | null;
  /** A person ordered a rewind, and nobody has carried it out yet. */
  readonly isRewinding?: boolean;
  /** The limit that is being wrapped up. */
  readonly limit: LimitReached | null;
  /** Of chains of wakes: whoever ends one makes what was asked for before void. */
  readonly generation: number;
  readonly textTokens: boolean;
  /** The newest wake that the model asked for. */
  readonly election: StoredElection | null;
  /** Null until the baseline is recorded. */
  readonly baseline: StoredBaseline | null;
  /** No criteria were given: the baseline looks for the project's own checks. */
  readonly detectsCriteria: boolean;
  /** Why the newest turn was opened: what the last settled one led to. */
  readonly lastDecision: {
    readonly rule: number;
    readonly action: string;
    readonly sentence: string;
    readonly missing: readonly string[];
    readonly reasons: Readonly<Record<string, string>>;
    readonly score: number;
  } | null;
}

export interface SeenAtBaseline {
  /** SHA-256 of a protected path; null = it did not exist. */
  readonly hash?: string | null;
  readonly git?: GitBasis;
  /** Names of the checkers that were found. */
  readonly checkers?: readonly string[];
}

export interface StoredBaseline {
  readonly states: Readonly<Record<string, 'met' | 'unmet' | 'not_run'>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Changes of what checks rest on, by name, as a person accepted them: SHA-256, null = gone. */
  readonly accepted?: Readonly<Record<string, string | null>>;
  /** What a criterion compares the end with, by its id. */
  readonly seen?: Readonly<Record<string, SeenAtBaseline>>;
}

export interface OpenTurn {
  readonly turn: number;
  readonly kind: TurnKind;
  /** The host's words for this turn; null for message and answer turns, where a person speaks. */
  readonly hostText: string | null;
  /** True where only the gate looks again: no model is asked, and no turn of the budget is used. */
  readonly isRecheck?: boolean;
}

export interface CallStart {
  readonly callId: string;
  readonly turn: number;
  readonly step: number;
  readonly tool: string;
  readonly effect: Effect;
  readonly arguments: unknown;
  /** For resumable writes: what the file held before and will hold afterwards. */
  readonly plan?: WritePlan | undefined;
  /** It is over by now: also a goal that was closed meanwhile takes it down. */
  readonly hasRun?: boolean;
}

export interface WritePlan {
  readonly path: string;
  /** SHA-256 hex; null = the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface CallEnd {
  readonly callId: string;
  readonly turn: number;
  readonly step: number;
  readonly tool: string;
  readonly effect: Effect;
  readonly outcome: Outcome;
  readonly receipt: Receipt;
  /** The tool message for the model. */
  readonly text: string;
  /** Null for the host's own runs: they leave no message in the conversation. */
  readonly providerId: string | null;
  /** Whole output, masked; stored by reference. */
  readonly output?: Uint8Array | undefined;
  /** New canonical list, stored in the same transaction. */
  readonly todos?: readonly TodoItem[] | undefined;
  /** Put to a person in the same transaction. */
  readonly proposal?: Criterion | undefined;
  /** New text of the plan, stored in the same transaction. */
  readonly plan?: string | undefined;
  /** Staged in the same transaction, to begin when the turn has settled. */
  readonly delegate?: DelegateRequest | undefined;
  /** True when files of the workspace changed: raises writeSeq in the same transaction. */
  readonly wrote: boolean;
}

/** A call that the policy put to a person. */
export interface AskedCall {
  readonly approvalId: string;
  readonly state: Approval['state'];
  readonly rule: string;
  /** Of the arguments that were shown. */
  readonly inputSha256: string;
  readonly by: string | null;
  readonly note: string | null;
  /** Did a person pause the goal, or write to it, after the decision? */
  readonly wasSpokenSince: boolean;
}

export interface Recalled {
  /** Of all of it. */
  readonly bytes: number;
  readonly part: Uint8Array;
}

export interface DelegateRequest {
  readonly task: string;
  readonly files: readonly string[];
  readonly mode: Mode;
  readonly returns: DelegateReturn;
  /** 0 = when the turn has settled. */
  readonly delaySeconds: number;
}

/**
 * The journal of one goal. Beginnings need fence and an open goal, endings only the fence.
 * All methods may be called again with the same arguments after a lost answer: the second call
 * changes nothing. They throw {@link Superseded} when the fence is old, {@link Closed} when a
 * beginning meets a goal that is no longer open.
 */
export interface JournalPort {
  /** The attempt whose helper must be ended before the token may be raised. */
  lastAttempt(goalId: string): Promise<{
    token: number;
    helper: ProcessIdentity | null;
    /** When the server scheduled it, milliseconds: tells a later attempt from a stale one. */
    scheduledAt: number;
  } | null>;
  /** Compare-and-swap on the token that `lastAttempt` returned (0 when none). */
  raiseToken(claim: {
    goalId: string;
    epoch: number;
    runId: string;
    expectedToken: number;
    scheduledAt: number;
    host: string;
    workerId: string;
  }): Promise<Fence>;
  recordHelper(fence: Fence, helper: ProcessIdentity): Promise<void>;
  /** Noted before a lost call runs again. @returns how many attempts did so before, and died */
  repeatCall(fence: Fence, callId: string): Promise<number>;
  /** True when this goal holds the workspace's lease afterwards; else it stands in line for it. */
  leaseWorkspace(fence: Fence, workspace: string): Promise<boolean>;
  /** The lease for one look of a goal that waits; false while another goal has or wants it. */
  borrowWorkspace(fence: Fence, workspace: string): Promise<boolean>;
  /** Gives it back, unless a later attempt has it by now. */
  returnWorkspace(fence: Fence, workspace: string): Promise<void>;
  /** Keeps what was seen; false where the goal no longer waits. */
  countLook(goal: { readonly goalId: string }, seen: string): Promise<boolean>;
  /**
   * Inserts turn row, opening message and untaken inbox messages, once.
   * @returns the kind under which the turn is stored: `message` where a person's message slipped
   * in before a host's turn began
   */
  openTurn(fence: Fence, turn: OpenTurn): Promise<TurnKind>;
  /** Moves steer messages that arrived meanwhile into the conversation. */
  takeSteering(fence: Fence, turn: number): Promise<number>;
  brief(goalId: string): Promise<GoalBrief>;
  turn(goalId: string, turn: number): Promise<TurnRecord>;
  /** What requests are made from, and nothing that a compaction has replaced. */
  conversation(goalId: string): Promise<Conversation>;
  /**
   * False, with nothing begun, while a steer message waits for {@link takeSteering} or the goal is
   * no longer at `revision`: what the step was made from has changed. With a call that it
   * `settles`, also where that has to be done apart: both are stored, or neither.
   */
  beginStep(
    fence: Fence,
    step: {
      turn: number;
      step: number;
      attempt: number;
      model: string;
      estimatedInput: number;
      reservedOutput: number;
      ifLost: CallUsage;
      revision?: number;
      /** Absent = it is the turn's own, or the gate's by its number. */
      kind?: 'compaction';
      /** The end of the call before it, of a tool that only reads. */
      settles?: CallEnd | undefined;
    },
  ): Promise<boolean>;
  /** Charges the estimate of a step that was sent by an attempt that died. */
  loseStep(
    fence: Fence,
    step: { turn: number; step: number; attempt: number; usage: CallUsage },
  ): Promise<void>;
  /** Closes a step that got no usable answer; `usage` is null when nothing was generated. */
  failStep(
    fence: Fence,
    step: {
      turn: number;
      step: number;
      attempt: number;
      usage: CallUsage | null;
      trouble: ProviderTrouble | null;
      /** Kept and marked when a person cut the stream. */
      partialText: string | null;
      activeMs?: number | undefined;
    },
  ): Promise<void>;
  commitStep(
    fence: Fence,
    step: {
      turn: number;
      step: number;
      attempt: number;
      finishReason: FinishReason;
      /** Null for a call of the host's own: it leaves no message in the conversation. */
      content: MessageContent | null;
      usage: CallUsage;
      /** How long this attempt has run, milliseconds. */
      activeMs?: number | undefined;
      /** Begins together with the step's end, unless the goal was closed meanwhile. */
      firstCall?: CallStart | undefined;
    },
  ): Promise<{ readonly hasBegun: boolean }>;
  /** With the model call that wrote its notes, where one did: both, or neither. */
  commitCompaction(
    fence: Fence,
    done: {
      turn: number;
      /** The step of the turn that is asked for next. */
      step: number;
      reason: CompactionReason;
      model: string;
      compaction: Compaction;
      /** Estimated input of the next request without it and with it. */
      tokensBefore: number;
      tokensAfter: number;
      call: {
        step: number;
        attempt: number;
        finishReason: FinishReason;
        usage: CallUsage;
      } | null;
      activeMs: number;
    },
  ): Promise<void>;
  /** A part of a message (`m17`) or of a call's result (`t3.s2.1`); null = there is none. */
  recall(
    goalId: string,
    ref: string,
    /** Bytes. */
    range: { readonly offset: number; readonly limit: number },
  ): Promise<Recalled | null>;
  startCall(fence: Fence, call: CallStart): Promise<void>;
  settleCall(fence: Fence, call: CallEnd): Promise<LedgerRow>;
  /** How long this attempt has run, milliseconds; a repeat with the same number adds nothing. */
  addActiveTime(fence: Fence, milliseconds: number): Promise<void>;
  /** Settled rows of the whole goal, for matching evidence. */
  receipts(goalId: string): Promise<LedgerRow[]>;
  todos(goalId: string): Promise<TodoList>;
  /** Of the kinds that the gate looks at, oldest first. */
  decidedApprovals(goalId: string): Promise<DecidedApproval[]>;
  /** What became of the question whether this call may run; null = nobody was asked. */
  askedAbout(goalId: string, callId: string): Promise<AskedCall | null>;
  /** Criteria that the model proposed and nobody decided. */
  openProposals(goalId: string): Promise<Criterion[]>;
  unread(goalId: string): Promise<number>;
  /** How its delegates stand, with those that the running turn has asked for. */
  delegates(goalId: string): Promise<DelegateFacts & { readonly staged: number }>;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
  /** Requests that begin alike: a provider may keep them where the same cache is. */
  readonly cacheKey?: string;
  readonly signal: AbortSignal;
  readonly onText?: (delta: string) => void;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema made from the tool's zod schema. */
  readonly parameters: Record<string, unknown>;
}

export type ModelAnswer =
  | {
      readonly kind: 'answer';
      readonly text: string;
      /** Calls in the order in which the model asked; `callId` is given by the slice. */
      readonly calls: readonly {
        readonly providerId: string;
        readonly tool: string;
        readonly input: string;
      }[];
      readonly finishReason: FinishReason;
      /** Null where the provider reported none. */
      readonly usage: ReportedUsage | null;
      readonly providerParts?: unknown;
    }
  | ({ readonly kind: 'trouble'; readonly trouble: ProviderTrouble } & Unfinished)
  | ({ readonly kind: 'aborted' } & Unfinished);

export interface ReportedUsage {
  /** With those that were read from or written to the provider's cache. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  /** Absent where it writes none, or at no price of its own. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
}

/** What is known of a call without an answer. */
export interface Unfinished {
  /** Text that arrived before it ended. */
  readonly partialText: string;
  /** Everything that was generated as far as it arrived, with reasoning and arguments of calls. */
  readonly generated: string;
  /** The provider may have generated, so the call is not free. */
  readonly hasStarted: boolean;
  /** What the provider told of its usage, with what it had generated by then. */
  readonly reported: ReportedUsage | null;
}

export interface ModelPort {
  /** Never throws for provider trouble; it is part of the answer. */
  call(request: ModelRequest): Promise<ModelAnswer>;
  /** Refuses with `unknown_model` or `model_key_missing`, naming the variable to set. */
  assertUsable(model: string): void;
  /** Null when the model has no known price. */
  price(model: string, usage: ReportedUsage): { costUsd: string; version: string } | null;
  contextWindow(model: string): number;
  maxOutput(model: string): number;
  countTokens(text: string): number;
}
