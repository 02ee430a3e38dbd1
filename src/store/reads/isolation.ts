import type { Completion } from '../../../schema/goal.ts';
import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';

/** Isolation of the commands before a completion. */
export async function readIsolation(
  sql: Executor,
  goalId: string,
): Promise<Pick<Completion, 'isolation'>> {
  const [row] = await sql<Row<'journal', 'isolation'>[]>`
    SELECT isolation FROM journal WHERE goal_id = ${goalId}`;
  return row?.isolation ? { isolation: row.isolation } : {};
}
