import type { Executor } from './client.ts';

/** Every path that a call of the model changed, from the ledger; the host's own runs don't count. */
export async function readChangedFiles(sql: Executor, goalId: string): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    SELECT DISTINCT path COLLATE "C" AS path FROM ledger,
      jsonb_array_elements_text(coalesce(body->'receipt'->'writes', '[]')) AS path
    WHERE goal_id = ${goalId} AND phase = 'settled'
      AND coalesce(body->'receipt'->>'origin', 'model') = 'model'
    ORDER BY 1`;
  return rows.map(({ path }) => path);
}
