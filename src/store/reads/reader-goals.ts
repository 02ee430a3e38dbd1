import type { Role } from '../../../schema/role.ts';
import type { Reach, ReaderPort } from '../../contract/reads.ts';
import type { Store } from '../store.ts';
import { countGoals, escaped, listGoals } from './goal-list.ts';
import { type GoalRow, readGoal, selectGoal, toGoal } from './goal-row.ts';

type Goals = Pick<ReaderPort, 'goal' | 'goalIds' | 'threadGoal' | 'reach' | 'goals' | 'goalCounts'>;

/** Columns of {@link Reach}. */
const reached = {
  goalId: true,
  threadId: true,
  epoch: true,
  runId: true,
  status: true,
  revision: true,
  archivedAt: true,
  createdByRole: true,
} as const;

export function readGoals({ sql: db, prisma }: Store): Goals {
  return {
    goal: (goalId) => readGoal(db, goalId),

    async goalIds(prefix) {
      const rows = await prisma.goal.findMany({
        where: { goalId: { startsWith: escaped(prefix) } },
        select: { goalId: true },
        orderBy: { goalId: 'asc' },
        take: 2,
      });
      return rows.map((row) => row.goalId);
    },

    async threadGoal(threadId) {
      const [row] = await db<GoalRow[]>`
        ${selectGoal(db)} WHERE g.thread_id = ${threadId} AND g.archived_at IS NULL`;
      return row === undefined ? null : toGoal(row);
    },

    async reach(goalId) {
      const row = await prisma.goal.findUnique({ where: { goalId }, select: reached });
      if (row === null) return null;
      const { archivedAt, status, createdByRole, ...rest } = row;
      return {
        ...rest,
        status: status as Reach['status'],
        isArchived: archivedAt !== null,
        createdByRole: createdByRole as Role,
      };
    },

    goals: (filter) => listGoals(db, filter),

    goalCounts: () => countGoals(db),
  };
}
