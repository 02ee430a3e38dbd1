import type { UsageFields } from '../../schema/budget.ts';
import type { Evidence } from './evidence.ts';
import type { GoalState } from './goal-state.ts';
import type { Execution } from './record.ts';
import type { Away } from './reviewer-away.ts';
import type { DelegateFacts, LimitReached, TurnFacts, TurnKind } from './turn-facts.ts';

export interface SliceInput extends Execution {
  readonly turn: number;
  readonly kind: TurnKind;
  /**
   * Call id of a claim that a person let stand: it goes straight to the gate, without a model call.
   */
  readonly claim?: string | null;
}

export interface SliceResult {
  readonly facts: TurnFacts;
  /** Usage of the whole goal; null when nothing is known. */
  readonly usage: UsageFields | null;
  /** The goal behind its settled turn; absent where the workflow has to settle it. */
  readonly settled?: GoalState;
}

export interface CheckEvidenceInput extends Execution {
  readonly turn: number;
  /** Counts the gates of this turn: each of them makes its own runs. */
  readonly gate: number;
}

export interface Checked {
  /** Null when the goal was closed meanwhile, or when `away`, `unpaid` or `altered` is set. */
  readonly evidence: Evidence | null;
  readonly unread: number;
  /** Unread messages of programs; absent = none. */
  readonly programs?: number;
  /** Something else is asked for than the model was told; absent = it was told. */
  readonly amended?: true;
  /** A reviewer could not be reached, so there is no evidence. */
  readonly away?: Away;
  /** The limit that leaves too little for the gate, so there is no evidence. */
  readonly unpaid?: LimitReached;
  /** The goal's row is not what was sealed, so there is no evidence: in words. */
  readonly altered?: string;
  /** Facts about the goal's delegates; absent = it has none. */
  readonly delegates?: DelegateFacts;
}

export interface ConfirmInput {
  readonly goalId: string;
  readonly fingerprint: string;
  /** When that fingerprint was taken, milliseconds. */
  readonly lookedAt: number;
}
