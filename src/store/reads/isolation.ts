import type { Completion } from '../../../schema/goal.ts';
import type { Isolation } from '../../../schema/isolation.ts';
import { ofLedger } from '../changed-files.ts';
import type { Executor } from '../client.ts';

/** The weakest isolation of the commands before a completion, from their receipts. */
export async function readIsolation(
  sql: Executor,
  goalId: string,
): Promise<Pick<Completion, 'isolation'>> {
  const [row] = await sql<[{ isolation: Isolation | null }]>`
    SELECT CASE WHEN bool_or(isolation = 'none') THEN 'none'
      WHEN bool_or(isolation = 'partial') THEN 'partial'
      WHEN bool_or(isolation = 'full') THEN 'full' END AS isolation
    FROM (SELECT l.body->'receipt'->>'isolation' AS isolation FROM ledger l
      WHERE ${ofLedger(sql, goalId)} AND l.phase = 'settled') receipts`;
  return row.isolation === null ? {} : { isolation: row.isolation };
}
