import type { Budget, UsageFields } from '../../schema/budget.ts';
import type {
  BlockerKind,
  CompletionSource,
  GoalStatus,
  PauseReason,
  Verification,
  WaitOn,
} from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { RuleName } from '../../schema/rule-name.ts';
import type { Ask, Evidence } from './evidence.ts';
import type { LimitReached, TurnFacts, TurnKind, WakeChain, WakeVerdict } from './turn-facts.ts';

/** Streaks and totals, stored with the goal. Only settled turns and people change them. */
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
  /** Criteria beyond the guards that held at the last gate; used where no gate ran. */
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

export interface DecisionInput {
  /** The goal's status when the turn settles; a person may have changed it meanwhile. */
  readonly status: GoalStatus;
  readonly facts: TurnFacts;
  readonly counters: Counters;
  readonly policy: Policy;
  readonly budget: Budget;
  readonly usage: UsageFields;
  /** Null when no rule asked for evidence or it could not be gathered: it then proves nothing. */
  readonly evidence: Evidence | null;
  /** ISO time at which the turn settled. */
  readonly now: string;
  /** The goal's chain of wakes; absent = none, in the first generation. */
  readonly chain?: WakeChain | null;
  readonly generation?: number;
  /** Of the present criteria, where the turn ended with a dispute. */
  readonly criteriaRevision?: number;
  /** The goal works for another one. */
  readonly isDelegate?: true;
  /** A yield may ask what a claim asks; absent in runs that began before that. */
  readonly asksOnYield?: true;
}

/**
 * Position of a rule in the order of judgement, as records and the API show it. Some rules share
 * one; `ruleNumbers` has the places.
 */
export type RuleNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/**
 * Messages that overrule a decision: `message`, an untaken message of a person; `result`, also a
 * delegate's result that wakes the goal. A reached limit overrules every outcome that would lead to
 * another turn, so no rule has to state it.
 */
export type YieldsTo = 'nobody' | 'message' | 'result';

/** The consequence of a settled turn. */
export type Outcome =
  | { readonly action: 'continue' | 'nudge' | 'refuse'; readonly next: TurnKind }
  | {
      readonly action: 'wait';
      readonly on: WaitOn;
      /** Seconds until the clock ends the wait; null = somebody has to act. */
      readonly seconds: number | null;
      readonly next: TurnKind;
    }
  | {
      readonly action: 'pause';
      readonly reason: PauseReason;
      readonly message: string;
      /** Until the default answer of a question holds; absent = a person has to answer. */
      readonly seconds?: number;
      /** What the model is blocked by. */
      readonly blocker?: BlockerKind;
    }
  | { readonly action: 'limit'; readonly limit: LimitReached }
  | {
      readonly action: 'complete';
      readonly source: CompletionSource;
      readonly verification: Verification;
    }
  /**
   * The goal is no longer active because a person changed it: the turn settles and nothing follows.
   */
  | { readonly action: 'hold' };

export interface Decision {
  readonly rule: RuleName;
  readonly yieldsTo: YieldsTo;
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
  /** Verdict on the election that ended the turn. */
  readonly election?: WakeVerdict;
  /** The chain from now on; absent = as it was. */
  readonly chain?: WakeChain | null;
  /** `warning` for scores of 40–59. */
  readonly isWarning: boolean;
}

/** The decision as workflows before 0.2 send it: its rule by number, without `yieldsTo`. */
export type NumberedDecision = Omit<Decision, 'rule' | 'yieldsTo'> & { readonly rule: RuleNumber };

/**
 * The part of a decision's input that a finished turn contributes; all other inputs are the goal's
 * own state.
 */
export type Settling = Pick<DecisionInput, 'facts' | 'evidence' | 'usage' | 'now' | 'asksOnYield'>;
