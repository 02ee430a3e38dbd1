import type { Executor } from './client.ts';

/** The rows `l` up to the ledger's end: those beyond it are nobody's. */
export const ofLedger = (sql: Executor, goalId: string) => sql`
  l.goal_id = ${goalId} AND l.seq <= (SELECT e.ledger_seq FROM journal e WHERE e.goal_id = ${goalId})`;

/** Every path that a call of the model changed, from the ledger; the host's own runs don't count. */
export async function readChangedFiles(sql: Executor, goalId: string): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    SELECT DISTINCT path COLLATE "C" AS path FROM ledger l,
      jsonb_array_elements_text(coalesce(body->'receipt'->'writes', '[]')) AS path
    WHERE ${ofLedger(sql, goalId)} AND phase = 'settled'
      AND coalesce(body->'receipt'->>'origin', 'model') = 'model'
    ORDER BY 1`;
  return rows.map(({ path }) => path);
}
