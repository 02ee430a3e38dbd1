import type { Role } from '../../../schema/role.ts';
import type { Reach, ReaderPort } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { countGoals, escaped, listGoals } from './goal-list.ts';
import { type GoalRow, readGoal, selectGoal, toGoal } from './goal-row.ts';

type Goals = Pick<ReaderPort, 'goal' | 'goalIds' | 'threadGoal' | 'reach' | 'goals' | 'goalCounts'>;

interface ReachRow {
  readonly goal_id: string;
  readonly thread_id: string;
  readonly epoch: number;
  readonly run_id: string | null;
  readonly status: Reach['status'];
  readonly revision: number;
  readonly archived_at: string | null;
  readonly created_by_role: Role;
}

export function readGoals(db: Database): Goals {
  return {
    goal: (goalId) => readGoal(db, goalId),

    async goalIds(prefix) {
      const rows = await db<{ goal_id: string }[]>`
        SELECT goal_id FROM goal WHERE goal_id LIKE ${`${escaped(prefix)}%`}
        ORDER BY goal_id LIMIT 2`;
      return rows.map((row) => row.goal_id);
    },

    async threadGoal(threadId) {
      const [row] = await db<GoalRow[]>`
        ${selectGoal(db)} WHERE g.thread_id = ${threadId} AND g.archived_at IS NULL`;
      return row === undefined ? null : toGoal(row);
    },

    async reach(goalId) {
      const [row] = await db<ReachRow[]>`
        SELECT goal_id, thread_id, epoch, run_id, status, revision, archived_at, created_by_role
        FROM goal WHERE goal_id = ${goalId}`;
      return row === undefined ? null : toReach(row);
    },

    goals: (filter) => listGoals(db, filter),

    goalCounts: () => countGoals(db),
  };
}

function toReach(row: ReachRow): Reach {
  return {
    goalId: row.goal_id,
    threadId: row.thread_id,
    epoch: row.epoch,
    runId: row.run_id,
    status: row.status,
    revision: row.revision,
    isArchived: row.archived_at !== null,
    createdByRole: row.created_by_role,
  };
}
