import { mayBeginDue, unseenEnd } from '../../record/delegates/delegates.ts';
import type { Database, Transaction } from '../client.ts';
import { closeUnbegun, reportEnd } from '../delegates/delegates.ts';
import { begin, readDue } from '../delegates/grant-delegates.ts';
import { eachAlone } from '../each-alone.ts';
import type { DelegateRow } from '../ledger/delegate-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isSealedAsOver } from '../ledger/state-seal.ts';
import type { Row } from '../row.ts';
import { lockGoal } from './goal-state.ts';

/**
 * Begins due delegates after reading their goal again, or drops them if the goal has moved on. A
 * paused goal keeps its delegates until a person speaks.
 * @returns milliseconds until the next due time; null = none is delayed
 */
export async function beginDue(db: Database, keys: LedgerKeys): Promise<number | null> {
  const due = await db<Row<'delegate', 'parent_goal_id'>[]>`
    SELECT DISTINCT r.parent_goal_id FROM delegate r JOIN goal g ON g.goal_id = r.parent_goal_id
    WHERE r.state = 'delayed' AND r.starts_at <= now() AND g.status = 'active'`;
  await eachAlone(due, ({ parent_goal_id: goalId }) =>
    db.begin((tx) => beginDueOf(tx, keys, goalId)),
  );
  const [next] = await db<[{ left: number | null }]>`
    SELECT extract(epoch FROM min(starts_at) - now())::float8 * 1000 AS left
    FROM delegate WHERE state = 'delayed' AND starts_at > now()`;
  return next.left;
}

async function beginDueOf(tx: Transaction, keys: LedgerKeys, goalId: string): Promise<void> {
  const goal = await lockGoal(tx, goalId);
  if (goal === null || !mayBeginDue(goal.state)) return;
  await begin(tx, keys, goalId, await readDue(tx, goalId));
}

/**
 * Releases leaked budget shares: the delegate's goal is over or gone, but its row still says
 * `running`.
 * @returns how many there were
 */
export async function releaseLeaked(db: Database, keys: LedgerKeys): Promise<number> {
  const leaked = await db<DelegateRow[]>`
    SELECT r.* FROM delegate r LEFT JOIN goal g ON g.goal_id = r.child_goal_id
    WHERE r.state = 'running'
      AND (g.goal_id IS NULL OR g.status = 'complete' OR g.archived_at IS NOT NULL)`;
  let released = 0;
  await eachAlone(leaked, async (row) => {
    if (await db.begin((tx) => release(tx, keys, row))) released++;
  });
  return released;
}

/** @returns false where its row alone says that the delegate's goal is over */
async function release(tx: Transaction, keys: LedgerKeys, row: DelegateRow): Promise<boolean> {
  const child = row.child_goal_id === null ? null : await lockGoal(tx, row.child_goal_id);
  if (child === null) {
    await closeUnbegun(tx, keys, row, 'dropped', unseenEnd(null));
    return true;
  }
  if (!isSealedAsOver(keys, child.stands)) return false;
  const { goalId, chart } = child.state;
  const [{ result }] = await tx<[{ result: string }]>`
    SELECT coalesce(completion->>'result', '') AS result FROM goal WHERE goal_id = ${goalId}`;
  await reportEnd(tx, keys, goalId, unseenEnd(chart), result);
  return true;
}
