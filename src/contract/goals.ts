import type { Mutation } from './mutation.ts';
import type { Execution } from './record.ts';

/** How the API reaches a goal's execution. */
export interface GoalsPort {
  /** Starts the goal's execution; the reconciler does it later when Temporal is away. */
  ensureStarted(goal: { goalId: string; epoch: number }): Promise<void>;
  /**
   * Stores the order; then through the execution's update, which names it, or directly on the record when none is open. The same
   * `commitId` gets its first result.
   * @throws Refusal; with a status of 503 it is unknown whether the mutation took place
   */
  mutate(mutation: Mutation, goalId: string): Promise<{ revision: number }>;
  /** Ends the execution of a goal that was replaced; its epoch has been fenced already. */
  endReplaced(execution: Execution): Promise<void>;
  /** @throws when Temporal cannot be reached */
  ping(): Promise<void>;
}
