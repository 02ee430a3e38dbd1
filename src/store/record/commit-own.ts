import { Superseded } from '../../contract/failures.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import type { Transaction } from '../client.ts';
import { readCommit, storeCommit } from '../commits.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { heldBy, lockGoal } from './goal-state.ts';

/** A change that a goal's run decides by itself, on the state that it has in memory. */
export interface OwnChange {
  /** Idempotency key: a repeat gets the first result. */
  readonly commitId: string;
  readonly expectedRevision: number;
}

/** The changed goal; null where there is nothing to change. */
type Apply = (goal: LockedGoal) => Promise<GoalState | null>;

/**
 * Commits a change that was decided on the workflow's state. A row that is ahead of it was settled
 * with its slice: nothing is done then, and the workflow is given what it doesn't know yet.
 * @throws Superseded when another run holds the goal, or the row is behind the workflow
 */
export const commitOwn = (
  tx: Transaction,
  execution: Execution,
  change: OwnChange,
  apply: Apply,
): Promise<GoalState> =>
  commitOnce(tx, execution, change, (goal) =>
    goal.state.revision === change.expectedRevision ? apply(goal) : Promise.resolve(null),
  );

/**
 * The same for a change that rests on the locked row alone, however much the workflow knows of it.
 * @throws Superseded
 */
export async function commitOnce(
  tx: Transaction,
  execution: Execution,
  { commitId, expectedRevision }: OwnChange,
  apply: Apply,
): Promise<GoalState> {
  const { goalId } = execution;
  const locked = await lockGoal(tx, goalId);
  const known = await readCommit<GoalState>(tx, goalId, commitId);
  if (known !== null) return known;
  const goal = heldBy(locked, execution);
  const { revision } = goal.state;
  if (revision < expectedRevision) {
    throw new Superseded(`${goalId}: revision ${expectedRevision} was expected, not ${revision}`);
  }
  const next = await apply(goal);
  if (next === null) return goal.state;
  await storeCommit(tx, next, commitId, next);
  return next;
}
