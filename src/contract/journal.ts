import type { AttachmentRef } from '../../schema/attachment.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import type { DecidedApproval } from './approval.ts';
import type { AskedRequest } from './asked-request.ts';
import type { Compaction, CompactionReason, Conversation } from './compaction-record.ts';
import type { MessageContent, RequestedCall } from './conversation.ts';
import type { StagedDispute } from './dispute.ts';
import type { Fence } from './fence.ts';
import type { AgentSession, GoalBrief } from './goal-brief.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { RequirementGround } from './requirements.ts';
import type { ScopeGround } from './scope-proposal.ts';
import type { SessionReport } from './session-report.ts';
import type { AskedCall, CallEnd, CallStart, Recalled } from './tool-call.ts';
import type { DelegateFacts, FinishReason, ProviderTrouble, TurnKind } from './turn-facts.ts';
import type { StoredWakeRequest } from './wake-request.ts';

export interface CallUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Exact decimal string. */
  readonly costUsd: string;
  readonly isEstimated: boolean;
  readonly pricesVersion: string | null;
}

/**
 * What a model call is for: a step of the turn itself, a review of its gate, or the notes of a
 * compaction. Each kind has numbers of its own.
 */
export type StepKind = 'turn' | 'review' | 'compaction';

/** Identifies one model call of a goal. */
export interface StepPlace {
  readonly turn: number;
  readonly kind: StepKind;
  /** 1-based among the steps of this kind in the turn. */
  readonly step: number;
  /** 1-based try of the step. */
  readonly attempt: number;
}

export interface JournaledStep extends Omit<StepPlace, 'turn'> {
  readonly token: number;
  readonly state: 'sent' | 'committed' | 'lost' | 'failed';
  readonly model: string;
  readonly finishReason: FinishReason | null;
  readonly estimatedInput: number;
  readonly reservedOutput: number;
  /** The charge when the call's end is never seen. */
  readonly ifLost: CallUsage;
  /** The call ended and was charged. */
  readonly isCharged: boolean;
  /** The provider failed the call and charges for it all the same. */
  readonly isPaidFailure: boolean;
  readonly text: string;
  readonly calls: readonly RequestedCall[];
}

/** Everything that a slice needs to go on behind the last journaled step. */
export interface TurnRecord {
  readonly steps: readonly JournaledStep[];
  readonly started: readonly LedgerRow[];
  readonly settled: readonly LedgerRow[];
}

export interface OpenTurn {
  readonly turn: number;
  readonly kind: TurnKind;
  /** The host's words for this turn; null for message and answer turns, where a person speaks. */
  readonly hostText: string | null;
  /** Files that come with the host's words. */
  readonly attached?: readonly AttachmentRef[] | undefined;
  /** True when only the gate looks again: no model is called and the turn isn't counted. */
  readonly isRecheck?: boolean;
  /** It stays the host's turn, whoever has spoken: a person's own session works in it. */
  readonly keepsKind?: boolean;
  /** Revision of the goal that the opening tells whole; absent = the turn's requests tell it. */
  readonly tells?: number;
}

/** What came for the model that no turn has read. */
export interface Unread {
  readonly persons: number;
  readonly programs: number;
  /** The goal is asked for something else than a turn told the model. */
  readonly isAmended: boolean;
}

/**
 * The journal of one goal. Beginnings need fence and an open goal, endings only the fence.
 * All methods may be called again with the same arguments after a lost answer: the second call
 * changes nothing, and says nothing else. They throw {@link Superseded} when the fence is old, {@link Closed} when a
 * beginning meets a goal that is no longer open.
 */
export interface JournalPort {
  /** The attempt whose helper must be ended before the token may be raised. */
  lastAttempt(goalId: string): Promise<{
    token: number;
    helper: ProcessIdentity | null;
    /**
     * When the server scheduled it, milliseconds: distinguishes a later attempt from a stale one.
     */
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
  /** The session that the goal's agent goes on with. */
  keepAgentSession(fence: Fence, session: AgentSession): Promise<void>;
  /**
   * Records that a lost call is about to run again.
   * @returns the number of earlier attempts that ran it again and died
   */
  repeatCall(fence: Fence, callId: string): Promise<number>;
  /** Takes the workspace's lease. False = another goal holds it and this goal is queued. */
  leaseWorkspace(fence: Fence, workspace: string): Promise<boolean>;
  /**
   * Takes the lease for one look of a waiting goal; false while another goal holds or awaits it.
   */
  borrowWorkspace(fence: Fence, workspace: string): Promise<boolean>;
  /** Releases the lease, unless a later attempt holds it by now. */
  returnWorkspace(fence: Fence, workspace: string): Promise<void>;
  /** Stores what a look at a wait saw; false when the goal no longer waits. */
  countLook(
    goal: { readonly goalId: string },
    wait: StoredWakeRequest,
    seen: string,
  ): Promise<boolean>;
  /**
   * Inserts turn row, opening message and untaken inbox messages, once.
   * @returns the kind under which the turn is stored: `message` when a person's message arrived
   * before a host's turn began
   */
  openTurn(fence: Fence, turn: OpenTurn): Promise<TurnKind>;
  /** Moves steer messages that arrived meanwhile into the conversation. */
  takeSteering(fence: Fence, turn: number): Promise<void>;
  brief(goalId: string): Promise<GoalBrief>;
  /** What the session of an external goal told of this turn, once it has ended; in order. */
  sessionReports(goalId: string, turn: number): Promise<SessionReport[]>;
  turn(goalId: string, turn: number): Promise<TurnRecord>;
  /** The conversation for requests, without the part that a compaction replaced. */
  conversation(goalId: string): Promise<Conversation>;
  /**
   * False, with nothing begun, while a steer message waits for {@link takeSteering} or the goal is
   * no longer at `revision`: the step's input has changed. A call in `settles` is stored together
   * with the step or not at all, even when it needs a statement of its own.
   * @throws SpendRefused where a spend limit leaves less than the call may take
   */
  beginStep(
    fence: Fence,
    step: StepPlace & {
      model: string;
      estimatedInput: number;
      reservedOutput: number;
      ifLost: CallUsage;
      /**
       * The most that the call may cost, for spend limits: an exact decimal; null = nobody knows its
       * price. Absent where it spends nothing of the service's.
       */
      mostUsd?: string | null;
      revision?: number;
      /** What is asked; absent where the goal's agent asks its own model. */
      asked?: AskedRequest | undefined;
      /** False where the request leaves out what changed since the slice began. */
      tellsAll?: boolean;
      /** The end of the call before it, of a tool that only reads. */
      settles?: CallEnd | undefined;
    },
  ): Promise<boolean>;
  /** Charges the estimate of a step that was sent by an attempt that died. */
  loseStep(fence: Fence, step: StepPlace & { usage: CallUsage }): Promise<void>;
  /** Closes a step that got no usable answer; `usage` is null when nothing was generated. */
  failStep(
    fence: Fence,
    step: StepPlace & {
      usage: CallUsage | null;
      trouble: ProviderTrouble | null;
      firstTokenMs?: number | undefined;
      /** Kept and marked when a person cut the stream. */
      partialText: string | null;
      activeMs?: number | undefined;
    },
  ): Promise<void>;
  commitStep(
    fence: Fence,
    step: StepPlace & {
      finishReason: FinishReason;
      /** Null for a call of the host's own: it leaves no message in the conversation. */
      content: MessageContent | null;
      usage: CallUsage;
      /** Absent where nobody saw the answer begin. */
      firstTokenMs?: number | undefined;
      /** How long this attempt has run, milliseconds. */
      activeMs?: number | undefined;
      /** Begins together with the step's end, unless the goal was closed meanwhile. */
      firstCall?: CallStart | undefined;
    },
  ): Promise<{ readonly hasBegun: boolean }>;
  /** Stores the compaction together with the model call that wrote its notes, if there is one. */
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
        firstTokenMs?: number | undefined;
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
  /** Decided approvals of the kinds that the gate looks at, oldest first. */
  decidedApprovals(goalId: string): Promise<DecidedApproval[]>;
  /** The approval that was asked for this call; null = nobody was asked. */
  askedAbout(goalId: string, callId: string): Promise<AskedCall | null>;
  /** Criteria that the model proposed and nobody decided. */
  /** Proposed changes of the requirements. */
  proposedChanges(
    goalId: string,
  ): Promise<Pick<RequirementGround, 'openChange' | 'declinedChanges'>>;
  /** Globs of proposed scopes. */
  proposedScopes(goalId: string): Promise<Pick<ScopeGround, 'open' | 'declined'>>;
  /** Of the goal, oldest first, without one that its turn has not opened yet. */
  disputes(goalId: string): Promise<Dispute[]>;
  /** Keeps a dispute until its turn settles. */
  stageDispute(fence: Fence, dispute: StagedDispute): Promise<void>;
  openProposals(goalId: string): Promise<Criterion[]>;
  unread(goalId: string): Promise<Unread>;
  /** Events that meet the goal's present wait, and whether a trigger brings such events at all. */
  heardEvents(
    goalId: string,
    name: string,
  ): Promise<{ readonly heard: number; readonly isBrought: boolean }>;
  /** Facts about the goal's delegates, including those that the running turn asked for. */
  delegates(goalId: string): Promise<DelegateFacts & { readonly staged: number }>;
}
