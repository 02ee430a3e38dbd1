import type { Role } from '../../../schema/role.ts';
import type { Reach, ReaderPort } from '../../contract/reads.ts';
import type { Owned } from '../../contract/sight.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';
import { beginningOf } from '../workspaces/beginning.ts';
import { assertTakesWorktree, worktreeGround } from '../workspaces/takes-worktree.ts';
import { countGoals, listGoals } from './goal-list.ts';
import { type GoalRow, readGoal, selectGoal, toGoal } from './goal-row.ts';
import { goalsHolding } from './goals-holding.ts';
import { inSight, originOf } from './in-sight.ts';
import { escaped } from './words.ts';

type Goals = Pick<
  ReaderPort,
  | 'goal'
  | 'owner'
  | 'goalIds'
  | 'threadGoal'
  | 'reach'
  | 'goals'
  | 'goalCounts'
  | 'goalsHolding'
  | 'beginning'
  | 'assertTakesWorktree'
>;

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

export function readGoals({ sql: db, prisma }: Store, keys: LedgerKeys): Goals {
  return {
    goal: (goalId) => readGoal(db, keys, goalId),

    async owner(goalId) {
      const [row] = await db<Owned[]>`
        SELECT g.created_by AS "startedBy", ${originOf(db)} AS workspace
        FROM goal g WHERE g.goal_id = ${goalId}
        UNION ALL SELECT created_by, workspace FROM removed_goal WHERE goal_id = ${goalId}`;
      return row ?? null;
    },

    async goalIds(prefix, sight) {
      const rows = await db<Row<'goal', 'goal_id'>[]>`
        SELECT g.goal_id FROM goal g
        WHERE g.goal_id LIKE ${`${escaped(prefix)}%`} AND ${inSight(db, sight)}
        ORDER BY g.goal_id LIMIT 2`;
      return rows.map((row) => row.goal_id);
    },

    async threadGoal(threadId) {
      const [row] = await db<GoalRow[]>`
        ${selectGoal(db)} WHERE g.thread_id = ${threadId} AND g.archived_at IS NULL`;
      return row === undefined ? null : toGoal(keys, row);
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

    goals: (filter) => listGoals(db, keys, filter),

    goalCounts: (sight) => countGoals(db, sight),

    goalsHolding: (filter) => goalsHolding(db, filter),

    beginning: (begins, workspace) => beginningOf(db, keys, begins, workspace),

    async assertTakesWorktree(workspace, tree) {
      assertTakesWorktree(workspace, tree ?? (await worktreeGround(db, workspace)));
    },
  };
}
