import type { GoalEpoch } from '../../contract/histories.ts';
import type { Database } from '../client.ts';

/** Goals that wait for a spend limit. */
export const waitingForSpend = (db: Database): Promise<GoalEpoch[]> =>
  db<GoalEpoch[]>`
    SELECT goal_id AS "goalId", epoch FROM goal
    WHERE status = 'active' AND activity->>'on' = 'spend' AND archived_at IS NULL
      AND run_id IS NOT NULL
    ORDER BY updated_at`;
