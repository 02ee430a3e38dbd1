import type { Completion } from '../../../schema/goal.ts';
import type { Isolation } from '../../../schema/isolation.ts';
import type { Executor } from '../client.ts';

/** What a completion says about the commands on the way to it. */
export async function readIsolation(
  sql: Executor,
  goalId: string,
): Promise<Pick<Completion, 'isolation'>> {
  const [row] = await sql<{ isolation: Isolation | null }[]>`
    SELECT isolation FROM journal WHERE goal_id = ${goalId}`;
  return row?.isolation ? { isolation: row.isolation } : {};
}
