import { CHECKPOINTS_KEPT_DAYS } from '../../contract/checkpoints.ts';
import type { Executor } from '../client.ts';
import type { OverGoal } from '../ledger/over-goals.ts';

/**
 * The subset of these goals whose files nobody keeps any more, or soon won't.
 * @param over the subset that is over
 */
export async function forgottenOf(
  sql: Executor,
  goalIds: readonly string[],
  over: (sql: Executor, goalIds: readonly string[]) => Promise<OverGoal[]>,
): Promise<string[]> {
  // Most of them are young: their seals need not be looked at.
  const called = await sql<{ goal_id: string }[]>`
    SELECT goal_id FROM goal
    WHERE goal_id IN (SELECT jsonb_array_elements_text(${sql.json([...goalIds])}))
      AND (archived_at IS NOT NULL OR status = 'complete'
        AND updated_at < now() - make_interval(days => ${CHECKPOINTS_KEPT_DAYS}))`;
  const ended = await over(
    sql,
    called.map((row) => row.goal_id),
  );
  const old = ended.filter(({ isCleared, days }) => isCleared || days > CHECKPOINTS_KEPT_DAYS);
  const removed = await sql<{ goal_id: string }[]>`
    SELECT goal_id FROM removed_goal
    WHERE goal_id IN (SELECT jsonb_array_elements_text(${sql.json([...goalIds])}))`;
  return [...old.map(({ goalId }) => goalId), ...removed.map((row) => row.goal_id)];
}
