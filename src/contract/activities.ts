import type { UsageFields } from '../../schema/budget.ts';
import type { Evidence } from './evidence.ts';
import type { Execution } from './record.ts';
import type { Away } from './reviewer-away.ts';
import type { DelegateFacts, LimitReached, TurnFacts, TurnKind } from './turn-facts.ts';

export interface SliceInput extends Execution {
  readonly turn: number;
  readonly kind: TurnKind;
  /** Call of a claim that a person let stand: straight to the gate, without a model call. */
  readonly claim?: string | null;
}

export interface SliceResult {
  readonly facts: TurnFacts;
  /** Of the whole goal; null when nothing is known. */
  readonly usage: UsageFields | null;
}

export interface CheckEvidenceInput extends Execution {
  readonly turn: number;
  /** Counts the gates of this turn: each of them makes its own runs. */
  readonly gate: number;
}

export interface Checked {
  /** Null when the goal was closed meanwhile, or with `away` or `unpaid`. */
  readonly evidence: Evidence | null;
  readonly unread: number;
  /** There is no evidence, because somebody who judges could not be asked. */
  readonly away?: Away;
  /** There is no evidence, because this is too little left for it. */
  readonly unpaid?: LimitReached;
  /** Of delegates; absent = none. */
  readonly delegates?: DelegateFacts;
}

export interface ConfirmInput {
  readonly goalId: string;
  readonly fingerprint: string;
  /** When that fingerprint was taken, milliseconds. */
  readonly lookedAt: number;
}
