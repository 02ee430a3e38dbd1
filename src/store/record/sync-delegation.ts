import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { step } from '../../goal/chart/machine.ts';
import { delegationEvent, type ParentsWish } from '../../record/delegates/delegation-event.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import { hasWakingResult } from '../delegates/delegates.ts';
import {
  changeDelegates,
  type DelegateRow,
  isDelegateIntact,
  type LockedDelegate,
  lockingDelegates,
  readRunning,
  settingDelegates,
} from '../ledger/delegate-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { heldBy, lockGoal, saveRevision } from './goal-state.ts';

/**
 * Applies what a goal's parent asks of it, or ends a wait because a delegate's result arrived. The
 * operation is idempotent: with nothing to do, the state is unchanged.
 */
export async function syncDelegation(
  tx: Transaction,
  keys: LedgerKeys,
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
  const wish = state.isDelegate === true ? await readParentsWish(tx, keys, goalId) : null;
  const hasResult = await hasWakingResult(tx, goalId);
  const change = delegationEvent({ state, usage, wish, hasWakingResult: hasResult, now });
  if (change === null) return state;
  const chart = step(state.chart, change.event);
  const next = await saveRevision(tx, keys, goal, { chart, now, events: [] });
  if (change.isHeldByParent !== undefined) await hold(tx, keys, goalId, change.isHeldByParent);
  await storeCommit(tx, next, commit.commitId, next);
  return next;
}

const hold = (tx: Transaction, keys: LedgerKeys, goalId: string, isHeld: boolean) =>
  changeDelegates(
    tx,
    keys,
    tx<LockedDelegate[]>`${lockingDelegates(tx, tx`d.child_goal_id = ${goalId}`)}`,
    (ids) => tx<DelegateRow[]>`${settingDelegates(tx, tx`is_held_by_parent = ${isHeld}`, ids)}`,
  );

/** A row that somebody else changed asks for nothing: the goal's next turn is refused for it. */
async function readParentsWish(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<ParentsWish | null> {
  const row = await readRunning(tx, goalId);
  if (row === null || !isDelegateIntact(keys, row)) return null;
  return { wanted: row.wanted as ParentsWish['wanted'], isHeldByParent: row.is_held_by_parent };
}
