import type { GoalRetention } from './service-rules.ts';
import type { Owned, Sight } from './sight.ts';

/** A goal that may be removed, with what its record ended with: it is removed only as it was archived. */
export interface GoalAtRest {
  readonly goalId: string;
  readonly status: 'complete' | 'cleared';
  /** Days for which it is kept. */
  readonly days: number;
  readonly createdAt: string;
  readonly revision: number;
  readonly turns: number;
  readonly events: number;
  readonly ledgerSeq: number;
  readonly ledgerHead: string;
  readonly seals: number;
  readonly sealHead: string | null;
}

/** Old goals that stay for one reason. */
export interface StayingGoals {
  readonly why: string;
  readonly goals: number;
  /** Some of them, the oldest first. */
  readonly goalIds: readonly string[];
}

/** The file that holds a removed goal. */
export interface WrittenArchive {
  readonly path: string;
  /** Of the machine that it lies on. */
  readonly host: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Removes a goal and tells the security log where its archive lies, both or nothing.
 * @returns why the goal stays; null = it is gone
 */
export type RemoveGoal = (goal: GoalAtRest, archive: WrittenArchive) => Promise<string | null>;

/** Removes whole goals. */
export interface RemovedGoalsPort {
  /**
   * What `work` removes goes with the lock's own transaction: whoever lost the lock, and has another
   * process write the same archive, removes nothing.
   * @returns false where another process has the lock; `work` then didn't run
   */
  withLock(work: (remove: RemoveGoal) => Promise<void>): Promise<boolean>;
  /** Those that may be removed, the oldest first, from behind one of them on. */
  due(
    kept: GoalRetention,
    after: Pick<GoalAtRest, 'goalId' | 'createdAt'> | null,
  ): Promise<readonly GoalAtRest[]>;
  /** Those that are old enough, and stay. */
  staying(kept: GoalRetention): Promise<readonly StayingGoals[]>;
  /**
   * Takes what was asked and answered out of requests that were stored while their goal went.
   * @returns how many there were
   */
  emptyRequests(): Promise<number>;
}

/** What is known of a goal that is gone. */
export interface RemovedGoal extends Owned {
  readonly goalId: string;
  readonly removedAt: string;
  /** Null: no entry of the security log that holds says that retention did it. */
  readonly archive: WrittenArchive | null;
}

export interface RemovedGoalReader {
  /** The removed goal of this id, or the one in sight whose id begins so; null = there is none. */
  removedGoal(idOrPrefix: string, sight: Sight): Promise<RemovedGoal | null>;
}
