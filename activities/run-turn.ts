import type { UsageFields } from '../schema/budget.ts';
import type { Execution } from '../src/db/ports.ts';
import type { TurnFacts, TurnKind } from '../src/goal/facts.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { runSlice } from '../src/turn/slice.ts';
import { withActivity } from './activity-context.ts';

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

/** One slice of a turn; a retry resumes behind the last journaled step. */
export const runTurn =
  (ports: TurnPorts) =>
  (input: SliceInput): Promise<SliceResult> =>
    withActivity((signal, scheduledAt) => runSlice(ports, input, signal, scheduledAt));
