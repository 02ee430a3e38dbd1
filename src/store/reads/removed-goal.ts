import type { RemovedGoalReader } from '../../contract/removed-goals.ts';
import type { Owned } from '../../contract/sight.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { readRemovals } from '../ledger/removals.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';
import { inSight, ownersOfGoals } from './in-sight.ts';
import { escaped } from './words.ts';

type RemovedRow = Row<'removed_goal', 'goal_id' | 'removed_at'> & Owned;

export const readRemovedGoals = ({ sql: db }: Store, keys: LedgerKeys): RemovedGoalReader => ({
  async removedGoal(idOrPrefix, sight) {
    const [row, second] = await db<RemovedRow[]>`
      SELECT r.goal_id, r.removed_at, r.created_by AS "startedBy", r.workspace
      FROM removed_goal r JOIN ${ownersOfGoals(db)} g ON g.goal_id = r.goal_id
      WHERE r.goal_id LIKE ${`${escaped(idOrPrefix)}%`} AND ${inSight(db, sight)}
      ORDER BY r.goal_id LIMIT 2`;
    if (row === undefined || second !== undefined) return null;
    const { goal_id: goalId, removed_at: removedAt, ...owned } = row;
    const removal = (await readRemovals(db, keys, [goalId])).get(goalId);
    return { ...owned, goalId, removedAt, archive: removal?.archive ?? null };
  },
});
