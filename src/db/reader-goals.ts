import type { Role } from '../../schema/role.ts';
import type { Database } from './client.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { type GoalRow, readGoal, selectGoal, toGoal } from './goal-row.ts';
import type { GoalFilter, Reach, ReaderPort } from './ports.ts';

type Goals = Pick<ReaderPort, 'goal' | 'goalIds' | 'threadGoal' | 'reach' | 'goals'>;

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

/** Literal text for LIKE. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

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

    async goals(filter) {
      const rows = await db<GoalRow[]>`
        ${selectGoal(db)} WHERE true ${matching(db, filter)} ${inOrder(db, filter)}
        LIMIT ${filter.limit + 1}`;
      const time = (row: GoalRow) => (filter.sort === 'updated' ? row.updated_at : row.created_at);
      return pageOf(rows, filter.limit, toGoal, (row) => [time(row), row.goal_id]);
    },
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

function matching(db: Database, { status, actor, q, workspace, archived }: GoalFilter) {
  const words = q === undefined ? null : `%${escaped(q)}%`;
  return db`
    ${archived ? db`` : db`AND g.archived_at IS NULL`}
    ${status === undefined ? db`` : db`AND g.status IN ${db([...status])}`}
    ${actor === undefined ? db`` : db`AND g.activity->>'actor' IN ${db([...actor])}`}
    ${workspace === undefined ? db`` : db`AND g.workspace_name = ${workspace}`}
    ${words === null ? db`` : db`AND (g.objective ILIKE ${words} OR g.goal_id ILIKE ${words})`}`;
}

function inOrder(db: Database, { sort, cursor }: GoalFilter) {
  const position = decodeCursor(cursor, 2) as [string, string] | null;
  const column = sort === 'updated' ? db`g.updated_at` : db`g.created_at`;
  if (sort === 'oldest') {
    const after = position && db`AND (${column}, g.goal_id) > (${position[0]}, ${position[1]})`;
    return db`${after ?? db``} ORDER BY ${column}, g.goal_id`;
  }
  const after =
    position &&
    db`AND (${column} < ${position[0]}
    OR (${column} = ${position[0]} AND g.goal_id > ${position[1]}))`;
  return db`${after ?? db``} ORDER BY ${column} DESC, g.goal_id`;
}
