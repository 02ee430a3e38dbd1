import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { step } from '../../goal/chart/machine.ts';
import { delegationEvent, type ParentsWish } from '../../record/delegates/delegation-event.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import { hasWakingResult } from '../delegates/delegates.ts';
import type { Row } from '../row.ts';
import { heldBy, lockGoal, saveRevision } from './goal-state.ts';

/**
 * Applies what a goal's parent asks of it, or ends a wait because a delegate's result arrived. The
 * operation is idempotent: with nothing to do, the state is unchanged.
 */
export async function syncDelegation(
  tx: Transaction,
  execution: Execution,
  commit: { readonly commitId: string; readonly expectedRevision: number },
): Promise<GoalState> {
  const { goalId } = execution;
  const locked = await lockGoal(tx, goalId);
  const known = await readCommit<GoalState>(tx, goalId, commit.commitId);
  if (known !== null) return known;
  const goal = heldBy(locked, execution);
  assertRevision(goal.state, commit.expectedRevision);
  const { state, usage, now } = goal;
  const wish = state.isDelegate === true ? await readParentsWish(tx, goalId) : null;
  const hasResult = await hasWakingResult(tx, goalId);
  const change = delegationEvent({ state, usage, wish, hasWakingResult: hasResult, now });
  if (change === null) return state;
  const chart = step(state.chart, change.event);
  const next = await saveRevision(tx, goal, { chart, now, events: [] });
  if (change.isHeldByParent !== undefined) await hold(tx, goalId, change.isHeldByParent);
  await storeCommit(tx, next, commit.commitId, next);
  return next;
}

const hold = (tx: Transaction, goalId: string, isHeld: boolean) =>
  tx`UPDATE delegate SET is_held_by_parent = ${isHeld} WHERE child_goal_id = ${goalId}`;

type WishRow = Row<'delegate', 'is_held_by_parent'> & Pick<ParentsWish, 'wanted'>;

async function readParentsWish(tx: Transaction, goalId: string): Promise<ParentsWish | null> {
  const [row] = await tx<WishRow[]>`
    SELECT wanted, is_held_by_parent FROM delegate
    WHERE child_goal_id = ${goalId} AND state = 'running'`;
  return row === undefined ? null : { wanted: row.wanted, isHeldByParent: row.is_held_by_parent };
}
