import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { step } from '../../goal/chart/machine.ts';
import { delegationEvent, type ParentsWish } from '../../record/delegates/delegation-event.ts';
import type { Transaction } from '../client.ts';
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
import type { LockedGoal } from '../locked-goal.ts';
import { commitOnce, type OwnChange } from './commit-own.ts';
import { saveRevision } from './goal-state.ts';

/**
 * Applies what a goal's parent asks of it, or ends a wait because a delegate's result arrived. The
 * operation is idempotent: with nothing to do, the state is unchanged.
 */
export const syncDelegation = (
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  change: OwnChange,
): Promise<GoalState> => commitOnce(tx, execution, change, (goal) => heedFamily(tx, keys, goal));

async function heedFamily(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
): Promise<GoalState | null> {
  const { state, usage, now } = goal;
  const { goalId } = state;
  const wish = state.isDelegate === true ? await readParentsWish(tx, keys, goalId) : null;
  const hasResult = await hasWakingResult(tx, goalId);
  const change = delegationEvent({ state, usage, wish, hasWakingResult: hasResult, now });
  if (change === null) return null;
  const chart = step(state.chart, change.event);
  const next = await saveRevision(tx, keys, goal, { chart, now, events: [] });
  if (change.isHeldByParent !== undefined) await hold(tx, keys, goalId, change.isHeldByParent);
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
