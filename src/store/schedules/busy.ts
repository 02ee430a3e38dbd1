import type { Executor } from '../client.ts';

/** More of a schedule's goals than that are seldom open at a time. */
const LOOKED_AT = 50;

/**
 * Whether what a schedule began is not over: a goal that is open, also the one that carries out its
 * plan, or a message that its goal has not read.
 */
export async function readBusy(
  sql: Executor,
  scheduleId: string,
): Promise<{ readonly isBusy: boolean; readonly hasWaiting: boolean }> {
  const [row] = await sql<[{ isBusy: boolean; hasWaiting: boolean }]>`
    WITH begun AS (
      SELECT r.state, r.goal_id, r.message_id FROM schedule_run r
      WHERE r.schedule_id = ${scheduleId} AND r.state IN ('due', 'waiting', 'started', 'woken')
      ORDER BY r.due_at DESC LIMIT ${LOOKED_AT}
    )
    SELECT coalesce(bool_or(b.state = 'waiting'), false) AS "hasWaiting",
      coalesce(bool_or(
        b.state = 'due'
        OR (b.state = 'started' AND EXISTS (
          SELECT 1 FROM goal g WHERE (g.goal_id = b.goal_id OR g.planned_by = b.goal_id)
            AND g.status <> 'complete' AND g.archived_at IS NULL))
        OR (b.state = 'woken' AND EXISTS (
          SELECT 1 FROM inbox i JOIN goal g ON g.goal_id = i.goal_id
          WHERE i.message_id = b.message_id AND i.taken_by_turn IS NULL
            AND g.status <> 'complete' AND g.archived_at IS NULL))
      ), false) AS "isBusy"
    FROM begun b`;
  return row;
}
