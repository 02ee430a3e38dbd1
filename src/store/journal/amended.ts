import type { Executor } from '../client.ts';

/** Whether the goal is asked for something else than the newest request of a turn told the model. */
export const isAmended = (sql: Executor, goalId: string) => sql`
  EXISTS (SELECT 1 FROM journal
    WHERE goal_id = ${goalId} AND amended_revision > told_revision)`;
