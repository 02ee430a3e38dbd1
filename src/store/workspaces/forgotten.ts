import { CHECKPOINTS_KEPT_DAYS } from '../../contract/checkpoints.ts';
import type { Executor } from '../client.ts';

/** The subset of these goals whose files nobody keeps any more, or soon won't. */
export async function forgottenOf(sql: Executor, goalIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ goal_id: string }[]>`
    WITH asked AS (SELECT jsonb_array_elements_text(${sql.json([...goalIds])}) AS goal_id)
    SELECT goal_id FROM goal JOIN asked USING (goal_id) WHERE archived_at IS NOT NULL
      OR (status = 'complete' AND updated_at < now() - make_interval(days => ${CHECKPOINTS_KEPT_DAYS}))
    UNION ALL SELECT goal_id FROM removed_goal JOIN asked USING (goal_id)`;
  return rows.map((row) => row.goal_id);
}
