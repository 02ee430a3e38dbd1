import type { Standing } from '../../contract/standing.ts';
import type { Executor } from '../client.ts';
import { shownOn } from './unserved.ts';
import { GONE_AFTER_MS } from './worker-state.ts';

/** Statements over small parts of the record: goals that are archived are not looked at. */
export async function readStanding(sql: Executor): Promise<Standing> {
  const [goals, workers, [waiting]] = await Promise.all([
    sql<Standing['goals']>`
      SELECT g.status,
        coalesce(${shownOn(sql)}, g.pause->>'reason', g.activity->>'state') AS on,
        count(*)::int AS count
      FROM goal g WHERE g.archived_at IS NULL GROUP BY 1, 2`,
    sql<Standing['workers']>`
      SELECT CASE WHEN seen_at <= now() - make_interval(secs => ${GONE_AFTER_MS / 1000}) THEN 'lost'
          WHEN is_draining THEN 'draining' ELSE 'up' END AS state, count(*)::int AS count
      FROM worker WHERE seen_at > now() - interval '1 day' GROUP BY 1`,
    sql<[Omit<Standing, 'goals' | 'workers'>]>`
      SELECT (SELECT count(*) FROM workspace_queue)::int AS queued,
        (SELECT count(*) FROM delivery WHERE state = 'pending' AND attempts > 0)::int
          AS undelivered,
        a.open AS "openApprovals", a.oldest AS "oldestApprovalSeconds",
        (SELECT coalesce(extract(epoch FROM now() - min(g.updated_at)), 0)::float8
          FROM goal g JOIN journal j USING (goal_id)
          WHERE g.run_id IS NULL AND g.archived_at IS NULL AND j.is_open)
          AS "oldestUnstartedSeconds",
        (SELECT coalesce(greatest(extract(epoch FROM now() - min((g.activity->>'until')::timestamptz)), 0), 0)::float8
          FROM goal g WHERE g.archived_at IS NULL AND g.status = 'active'
            AND g.activity->>'state' = 'waiting') AS "oldestDueSeconds"
      FROM (
        SELECT count(*)::int AS open,
          coalesce(extract(epoch FROM now() - min(p.created_at)), 0)::float8 AS oldest
        FROM approval p JOIN goal g USING (goal_id)
        WHERE p.state = 'open' AND g.archived_at IS NULL) a`,
  ]);
  return { goals, workers, ...waiting };
}
