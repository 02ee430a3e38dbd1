import type { Executor } from '../client.ts';

/** More of a schedule's goals than that are seldom open at a time. */
const LOOKED_AT = 50;

/**
 * Whether what a schedule began is not over: a goal that is open, also one that carries out its plan
 * or comes right after it, or a message that its goal has not read.
 */
export async function readBusy(
  sql: Executor,
  scheduleId: string,
): Promise<{ readonly isBusy: boolean; readonly hasWaiting: boolean }> {
  const [row] = await sql<[{ isBusy: boolean; hasWaiting: boolean }]>`
    WITH RECURSIVE begun AS (
      SELECT r.state, r.goal_id, r.message_id FROM schedule_run r
      WHERE r.schedule_id = ${scheduleId} AND r.state IN ('due', 'waiting', 'started', 'woken')
      ORDER BY r.due_at DESC LIMIT ${LOOKED_AT}
    ), line AS (
      SELECT b.goal_id FROM begun b WHERE b.state = 'started'
      UNION SELECT n.goal_id FROM line l CROSS JOIN LATERAL (
        SELECT g.goal_id FROM goal g WHERE g.planned_by = l.goal_id
        UNION ALL SELECT f.begun_goal_id FROM following_goals f WHERE f.goal_id = l.goal_id
      ) n WHERE n.goal_id IS NOT NULL
    )
    SELECT EXISTS (SELECT 1 FROM begun b WHERE b.state = 'waiting') AS "hasWaiting",
      EXISTS (SELECT 1 FROM begun b WHERE b.state = 'due')
      OR EXISTS (
        SELECT 1 FROM line l JOIN goal g ON g.goal_id = l.goal_id
        WHERE g.status <> 'complete' AND g.archived_at IS NULL)
      OR EXISTS (
        SELECT 1 FROM begun b JOIN inbox i ON i.message_id = b.message_id
        JOIN goal g ON g.goal_id = i.goal_id
        WHERE b.state = 'woken' AND i.taken_by_turn IS NULL
          AND g.status <> 'complete' AND g.archived_at IS NULL) AS "isBusy"`;
  return row;
}
