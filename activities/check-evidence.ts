import type { Execution } from '../src/db/ports.ts';
import { gatherEvidence } from '../src/evidence/gather.ts';
import type { Away } from '../src/evidence/review/reviewer-away.ts';
import type { DelegateFacts, Evidence, LimitReached } from '../src/goal/facts.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { withActivity } from './activity-context.ts';

export interface GateInput extends Execution {
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

export const checkEvidence =
  (ports: TurnPorts) =>
  (input: GateInput): Promise<Checked> =>
    withActivity((signal, scheduledAt) => gatherEvidence(ports, input, signal, scheduledAt));
