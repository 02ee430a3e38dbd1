import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { CounterExample, CounterRun, Dispute } from '../../schema/dispute.ts';

/** What a dispute says, as it is stored. */
export type DisputeBody = Pick<
  Dispute,
  | 'criterion'
  | 'kind'
  | 'counterExample'
  | 'explanation'
  | 'place'
  | 'runs'
  | 'showsOnOriginal'
  | 'showsOnNothing'
>;

/** A dispute whose turn has not settled yet. */
export interface StagedDispute {
  readonly callId: string;
  readonly turn: number;
  readonly criterionId: string;
  readonly body: DisputeBody;
}

/** What the host saw when it ran a counter-example. */
export interface CounterFindings
  extends Pick<DisputeBody, 'place' | 'showsOnOriginal' | 'showsOnNothing'> {
  /** The first is the one that counts. */
  readonly runs: readonly [CounterRun, ...CounterRun[]];
}

/** What a dispute is judged by, as it is now. */
export interface DisputeGround {
  readonly criteria: readonly TrackedCriterion[];
  readonly criteriaRevision: number;
  /** Of this goal, oldest first. */
  readonly disputes: readonly Dispute[];
}

/** How the model disputes a criterion. */
export interface DisputePort {
  ground(): Promise<DisputeGround>;
  /** Runs it as the host, where no command of the goal has ever written. */
  run(counterExample: CounterExample): Promise<CounterFindings>;
  /** Kept until the turn settles, which opens it. */
  stage(criterionId: string, body: DisputeBody): Promise<void>;
}
