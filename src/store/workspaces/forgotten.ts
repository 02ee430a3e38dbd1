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
  const old = (await over(sql, goalIds)).filter(
    ({ isCleared, days }) => isCleared || days > CHECKPOINTS_KEPT_DAYS,
  );
  const removed = await sql<{ goal_id: string }[]>`
    SELECT goal_id FROM removed_goal
    WHERE goal_id IN (SELECT jsonb_array_elements_text(${sql.json([...goalIds])}))`;
  return [...old.map(({ goalId }) => goalId), ...removed.map((row) => row.goal_id)];
}
