import type { CallUsage, StepPlace } from '../contract/journal.ts';
import type { SettledTurn } from '../contract/record.ts';
import type { TurnKind } from '../contract/turn-facts.ts';

export interface TurnOf {
  readonly goalId: string;
  readonly turn: number;
}

export type StepOf = TurnOf & StepPlace & { readonly model: string };

export interface StepEnd {
  /** `committed`, `lost`, `cut`, or the kind of the provider's trouble. */
  readonly outcome: string;
  readonly finishReason: string | null;
  readonly usage: CallUsage | null;
}

export interface CallOf extends TurnOf {
  readonly callId: string;
  readonly tool: string;
}

/**
 * Hears what a worker's slices do, once it stands in the record. An end whose answer was lost is
 * sent again and heard twice. Nothing may throw.
 */
export interface WorkObserver {
  turnOpened?(turn: TurnOf & { readonly kind: TurnKind }): void;
  stepBegun?(step: StepOf): void;
  stepEnded?(step: StepOf, end: StepEnd): void;
  callBegun?(call: CallOf): void;
  callEnded?(call: CallOf & { readonly outcome: string }): void;
  /** The provider's own time, without what the host adds. */
  modelAnswered?(call: { model: string; outcome: string; seconds: number }): void;
  turnSettled?(turn: TurnOf, settled: SettledTurn): void;
  goalCompleted?(goalId: string): void;
}
