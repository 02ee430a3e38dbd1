import type { LimitName } from '../../schema/budget.ts';
import type { BlockerKind, Mode } from '../../schema/goal.ts';

export type TurnKind = 'start' | 'nudge' | 'wake' | 'message' | 'answer' | 'resume' | 'wrap_up';

/** Why a slice of a turn came back to the workflow. */
export type SliceEnd =
  /** The model answered without tool calls. */
  | 'yield'
  | 'claim'
  /** The model asks to be woken again. */
  | 'election'
  | 'question'
  | 'blocker'
  /** The model disputes a criterion. */
  | 'dispute'
  /** Step or time cap of a slice: the turn goes on with another one. */
  | 'slice_cap'
  /** Step cap of a turn: settles as truncated. */
  | 'turn_cap'
  | 'budget'
  | 'protocol_error'
  /** Several workers in a row died under the same model call. */
  | 'lost_calls'
  | 'tool_error_cap'
  | 'repetition'
  | 'lifecycle_breaker'
  /** The goal's row is not what was sealed. */
  | 'record_altered'
  /** An effect whose end was not seen, where the policy wants a person's word. */
  | 'unknown_effect'
  /** The policy wants a person to approve the call that is open. */
  | 'approval'
  /** A person paused, stopped, replaced or cleared the goal. */
  | 'interrupted'
  /** The worker shuts down; another slice goes on. */
  | 'shutdown'
  /** Another goal writes in the workspace. */
  | 'workspace_busy'
  /** A person's own session works: the turn goes on once it has stopped. */
  | 'session'
  /** The provider refused or failed beyond the turn's own short retries. */
  | 'provider_error';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other' | 'absent';

/** Signals in the last assistant text, by phrases; the text itself stays in Postgres. */
export interface TextSignals {
  readonly isEmpty: boolean;
  readonly hasIntent: boolean;
  readonly hasCompletion: boolean;
  readonly hasSummary: boolean;
  /** Announces a summary instead of work: scored as an intent, yet never told to go on. */
  readonly plansSummary: boolean;
  readonly waitsForPerson: boolean;
  readonly asksDirectly: boolean;
}

export interface LimitReached {
  readonly name: LimitName;
  /** Decimal strings or ISO times, as people read them. */
  readonly used: string;
  readonly allowed: string;
}

export interface ProviderTrouble {
  readonly kind:
    | 'rate_limit'
    | 'overload'
    | 'timeout'
    | 'connection'
    | 'auth'
    | 'quota'
    | 'context_overflow'
    | 'content_refused'
    | 'malformed'
    /** A spend limit of the service leaves less than the call may take: it was not sent. */
    | 'spend_limit'
    | 'other';
  readonly isRetryable: boolean;
  /** The provider's own advice, seconds. */
  readonly retryAfterSeconds: number | null;
  readonly message: string;
}

/** Wake request of the model; its words stay in the ledger. */
export interface WakeRequest {
  readonly callId: string;
  readonly on: 'timer' | 'condition';
  /** Requested delay, or timeout of a condition; null = the default. */
  readonly seconds: number | null;
  /** Requested time instead of a delay, ISO. */
  readonly until: string | null;
  /** Number of the goal's chain of wakes when the model asked. */
  readonly generation: number;
}

/** The bound that refused an election; shown with its event. */
export interface WakeRefusal {
  readonly limit: 'chainLength' | 'chainTokens' | 'generation';
  readonly value: number;
  readonly allowed: number;
}

export type WakeVerdict =
  | {
      readonly isGranted: true;
      readonly on: WakeRequest['on'];
      readonly seconds: number;
      readonly chain: WakeChain;
      /** How the request was adjusted to the bounds, for the model; null = it wasn't. */
      readonly note: string | null;
    }
  | ({ readonly isGranted: false } & WakeRefusal);

/** A criterion that the model disputes. */
export interface Disputed {
  readonly callId: string;
  readonly criterionId: string;
  readonly criteriaRevision: number;
}

/** Facts about a goal's delegates for the pure rules. */
export interface DelegateFacts {
  /** Results that no turn has taken. */
  readonly unread: number;
  /** Unread results that wake the goal instead of waiting for its next turn. */
  readonly waking: number;
  /** Delegates that run or will, and whose result wakes the goal. */
  readonly awaited: number;
}

/**
 * All facts about a turn for the pure rules. They stay small because they travel through Temporal.
 */
export interface TurnFacts {
  readonly turn: number;
  readonly kind: TurnKind;
  readonly end: SliceEnd;
  /** An agent of the settings worked: its calls lie within its one answer. */
  readonly byAgent?: true;
  /** A person's own session worked, and stopped. */
  readonly inSession?: true;
  readonly mode: Mode;
  readonly steps: number;
  /** Tool calls in the whole turn, whatever their outcome. */
  readonly toolCalls: number;
  /** Settled calls of this turn that succeeded. */
  readonly receipts: number;
  readonly finishReason: FinishReason;
  readonly signals: TextSignals;
  /** Is the event before the last assistant text a tool result? */
  readonly followsToolResult: boolean;
  /** Tool results ÷ assistant messages over the last ten events. */
  readonly toolRatio: number;
  readonly claim: { readonly callId: string } | null;
  readonly question: {
    readonly questionId: string;
    readonly callId: string | null;
    /** The model named a default answer. */
    readonly hasDefault?: boolean;
    /** Least time to wait for an answer, as the model asked. */
    readonly timeoutSeconds?: number;
  } | null;
  /** The call that waits for a person, and the rule that says so. */
  readonly approval?: { readonly callId: string; readonly rule: string } | null;
  readonly blocker: { readonly callId: string; readonly kind?: BlockerKind } | null;
  /** The disputed criterion, and the revision of the criteria at which its counter-example ran. */
  readonly dispute?: Disputed | null;
  readonly limit: LimitReached | null;
  readonly provider: ProviderTrouble | null;
  /** Absent where an earlier version settled the turn. */
  readonly election?: WakeRequest | null;
  /** Targets (files, commands) whose last write or check in this turn failed: rule C4. */
  readonly failedTargets: readonly string[];
  /** Open todo items by id; empty when all are done or no list exists. */
  readonly openTodos: readonly string[];
  /** Completed items that nothing but the model's word backs and no person accepted. */
  readonly manualTodos: readonly string[];
  readonly hasTodos: boolean;
  readonly doneTodos: number;
  /** Messages of people that no turn has taken. */
  readonly unread: number;
  /** Messages of programs that no turn has taken; absent = none. */
  readonly programs?: number;
  /** Something else is asked for than the model was told; absent = it was told. */
  readonly amended?: true;
  /** Absent where the goal has none and never had. */
  readonly delegates?: DelegateFacts;
  /** Did a file change in this turn? */
  readonly wrote: boolean;
  readonly activeMs: number;
  /** One line of detail for the pause reasons that need one (which tool, which error). */
  readonly detail: string | null;
}

/** Wakes in a row that the model asked for, until a person speaks or something new holds. */
export interface WakeChain {
  readonly startedAt: string;
  /** Counted when the wake begins, not when it is asked for. */
  readonly length: number;
  /** The goal's tokens when the first one was granted. */
  readonly tokensAtStart: number;
}
