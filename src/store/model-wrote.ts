import type { Executor } from './client.ts';

/** Did the goal's model change a file yet? */
export const modelWrote = (sql: Executor, goalId: string) => sql`
  EXISTS (
    SELECT 1 FROM ledger
    WHERE goal_id = ${goalId} AND phase = 'settled'
      AND coalesce(body#>>'{receipt,origin}', 'model') = 'model'
      AND jsonb_array_length(coalesce(body#>'{receipt,writes}', '[]')) > 0
  )`;
