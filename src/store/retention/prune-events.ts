import type { Database } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';

const GOALS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 2000;

/**
 * Takes out the events of goals that ended, once they are so many days old. Nothing is proved by
 * them: ledger, decisions, turns, messages and seals stay. A function of the database's does it, as
 * the writer's user may take none out; each call is a transaction that moves the goal's mark along.
 * @returns how many there were
 */
export async function pruneEvents(db: Database, keys: LedgerKeys, days: number): Promise<number> {
  let pruned = 0;
  let after = '';
  for (;;) {
    const goals = await endedGoals(db, days, after);
    const ended = await overOf(
      db,
      keys,
      goals.map(({ goalId }) => goalId),
    );
    for (const { goalId } of ended) pruned += await pruneGoal(db, goalId, days);
    const last = goals.at(-1);
    if (last === undefined) return pruned;
    after = last.goalId;
  }
}

const endedGoals = (db: Database, days: number, after: string) => db<{ goalId: string }[]>`
  SELECT g.goal_id AS "goalId" FROM goal g JOIN journal j ON j.goal_id = g.goal_id
  WHERE g.goal_id > ${after} AND j.events_pruned_to < j.event_seq
    AND (g.status = 'complete' OR g.archived_at IS NOT NULL)
    AND greatest(g.updated_at, g.archived_at) < now() - make_interval(days => ${days})
  ORDER BY g.goal_id LIMIT ${GOALS_AT_ONCE}`;

async function pruneGoal(db: Database, goalId: string, days: number): Promise<number> {
  let pruned = 0;
  for (;;) {
    const [row] = await db<[{ count: number }]>`
      SELECT prune_events(${goalId}, ${days}, ${EVENTS_AT_ONCE}) AS count`;
    if (row.count === 0) return pruned;
    pruned += row.count;
  }
}
