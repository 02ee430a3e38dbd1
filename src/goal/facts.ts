import type { Budget, LimitName, UsageFields } from '../../schema/budget.ts';
import type { BaselineState, CriterionState } from '../../schema/criteria.ts';
import type {
  CompletionSource,
  GoalStatus,
  Mode,
  PauseReason,
  Verification,
  WaitOn,
} from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Chain } from './state.ts';

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
  /** Step or time cap of a slice: the turn goes on with another one. */
  | 'slice_cap'
  /** Step cap of a turn: settles as truncated. */
  | 'turn_cap'
  | 'budget'
  | 'protocol_error'
  /** Worker after worker died under the same model call. */
  | 'lost_calls'
  | 'tool_error_cap'
  | 'repetition'
  | 'lifecycle_breaker'
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
  /** The provider refused or failed beyond the turn's own short retries. */
  | 'provider_error';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other' | 'absent';

/** What the last assistant text says, by phrases; the text itself stays in Postgres. */
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
    | 'other';
  readonly isRetryable: boolean;
  /** The provider's own advice, seconds. */
  readonly retryAfterSeconds: number | null;
  readonly message: string;
}

/** What the model asked for; its words stay in the ledger. */
export interface Election {
  readonly callId: string;
  readonly on: 'timer' | 'condition';
  /** Asked for: the delay, or the patience with a condition; null = the default. */
  readonly seconds: number | null;
  /** A time instead, ISO. */
  readonly until: string | null;
  /** Of the goal's chains, when the model asked. */
  readonly generation: number;
}

/** The bound that an election met; it is shown with the event that says so. */
export interface ElectionRefusal {
  readonly limit: 'chainLength' | 'chainTokens' | 'generation';
  readonly value: number;
  readonly allowed: number;
}

export type ElectionVerdict =
  | {
      readonly isGranted: true;
      readonly on: Election['on'];
      readonly seconds: number;
      readonly chain: Chain;
      /** What of the wish was moved into the bounds, for the model; null = nothing. */
      readonly note: string | null;
    }
  | ({ readonly isGranted: false } & ElectionRefusal);

/** A goal's delegates as its rules know them. */
export interface DelegateFacts {
  /** Results that no turn has taken. */
  readonly unread: number;
  /** Those of them that don't wait for a turn to come. */
  readonly waking: number;
  /** Delegates that run or will, and whose result wakes the goal. */
  readonly awaited: number;
}

/** Everything that the pure rules know of a turn. Small: it travels through Temporal. */
export interface TurnFacts {
  readonly turn: number;
  readonly kind: TurnKind;
  readonly end: SliceEnd;
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
    /** Its asker named the answer that holds if nobody gives one. */
    readonly hasDefault?: boolean;
    /** The least time that its asker wants for an answer. */
    readonly timeoutSeconds?: number;
  } | null;
  /** The call that waits for a person, and the rule that says so. */
  readonly approval?: { readonly callId: string; readonly rule: string } | null;
  readonly blocker: { readonly callId: string } | null;
  readonly limit: LimitReached | null;
  readonly provider: ProviderTrouble | null;
  /** Absent where an earlier version settled the turn. */
  readonly election?: Election | null;
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
  /** Absent where the goal has none and never had. */
  readonly delegates?: DelegateFacts;
  /** Did a file change in this turn? */
  readonly wrote: boolean;
  readonly activeMs: number;
  /** One line of detail for the pause reasons that need one (which tool, which error). */
  readonly detail: string | null;
}

export interface CriterionEvidence {
  readonly criterionId: string;
  readonly state: CriterionState;
  readonly baseline: BaselineState;
  /** Can this kind carry `verified`? */
  readonly isHostChecked: boolean;
  readonly reason: string;
  /** The call that would satisfy it; absent = what its state says. */
  readonly remedy?: string | undefined;
  readonly receipts: readonly number[];
  /** Of an approval: everything else is done and a person has to say so, or has said so. */
  readonly person?: 'needed' | 'approved';
}

/** What only a person can say; each becomes an approval. `subject`: todo item or criterion. */
export type Ask =
  | { readonly kind: 'completion' | 'basis' | 'unknown_effect' | 'tool' }
  | { readonly kind: 'manual' | 'approval'; readonly subject: string };

/** What checkEvidence saw; complete commits only if these revisions are still the present ones. */
export interface Evidence {
  readonly criteria: readonly CriterionEvidence[];
  readonly criteriaRevision: number;
  readonly writeSeq: number;
  readonly fingerprint: string;
  /** Files or scripts that a check rests on and that changed since the baseline. */
  readonly weakened: readonly string[];
  /** Those of them that a person declined as they are now. */
  readonly declined?: readonly string[];
  /** Paths that somebody else wrote while the host looked, also the second time; absent = none. */
  readonly moved?: readonly string[] | undefined;
  /** When the fingerprint was taken, milliseconds. */
  readonly lookedAt?: number | undefined;
}

/** Streaks and totals; stored with the goal and changed only by settled turns and people. */
export interface Counters {
  /** Consecutive refusals with the same missing set. */
  readonly refusalsInRow: number;
  readonly refusalsWithoutBest: number;
  readonly lastMissing: readonly string[];
  /** Size of the smallest missing set so far; null before the first refusal. */
  readonly bestMissing: number | null;
  readonly toolFreeTurns: number;
  readonly turnsWithoutProgress: number;
  /** Most criteria and todo items that held at once. */
  readonly bestMet: number;
  /** Criteria beyond the guards that held at the last gate: what is known where none ran. */
  readonly metCriteria: number;
  readonly truncatedTurns: number;
  /** "Go on" nudges since the last new receipt. */
  readonly continuationsWithoutReceipt: number;
}

export interface Score {
  readonly total: number;
  readonly finishReason: number;
  readonly toolResult: number;
  readonly intent: number;
  readonly noSummary: number;
  readonly ratio: number;
}

export interface GateVerdict {
  /** Null when something is missing or a person has to be asked. */
  readonly verification: Verification | null;
  /** What it will be once every ask is granted. */
  readonly promised: Verification | null;
  readonly asks: readonly Ask[];
  /** Ids of criteria and todo items, in a stable order. */
  readonly missing: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly receipts: readonly number[];
}

export interface DecisionInput {
  /** The goal's status when the turn settles: a person may have been faster. */
  readonly status: GoalStatus;
  readonly facts: TurnFacts;
  readonly counters: Counters;
  readonly policy: Policy;
  readonly budget: Budget;
  readonly usage: UsageFields;
  /** Null until checkEvidence ran. */
  readonly evidence: Evidence | null;
  /** ISO time at which the turn settled. */
  readonly now: string;
  /** Absent = none, and the first generation. */
  readonly chain?: Chain | null;
  readonly generation?: number;
  /** The goal works for another one. */
  readonly isDelegate?: true;
}

export type Rule = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/** What a settled turn leads to. */
export type Outcome =
  | { readonly action: 'continue' | 'nudge' | 'refuse'; readonly next: TurnKind }
  | {
      readonly action: 'wait';
      readonly on: WaitOn;
      /** Null: no clock ends it, somebody has to act. */
      readonly seconds: number | null;
      readonly next: TurnKind;
    }
  | {
      readonly action: 'pause';
      readonly reason: PauseReason;
      readonly message: string;
      /** Until the default answer of a question holds; absent = a person has to answer. */
      readonly seconds?: number;
    }
  | { readonly action: 'limit'; readonly limit: LimitReached }
  | {
      readonly action: 'complete';
      readonly source: CompletionSource;
      readonly verification: Verification;
    }
  /** The goal is no longer active (a person was faster): the turn is settled, nothing follows. */
  | { readonly action: 'hold' };

export interface Decision {
  readonly rule: Rule;
  readonly outcome: Outcome;
  /** "Why", in one sentence for people. */
  readonly sentence: string;
  readonly counters: Counters;
  readonly missing: readonly string[];
  /** criterion or todo id → what is wrong and which call would satisfy it. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly receipts: readonly number[];
  readonly score: Score;
  /** Absent: nobody is asked, or `completion` where an unverified claim pauses the goal. */
  readonly asks?: readonly Ask[];
  /** What became of the election that ended the turn. */
  readonly election?: ElectionVerdict;
  /** The chain from now on; absent = as it was. */
  readonly chain?: Chain | null;
  /** `warning` for scores of 40–59. */
  readonly isWarning: boolean;
}
