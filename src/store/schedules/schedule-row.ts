import type { Schedule, ScheduleRun } from '../../../schema/schedule.ts';
import type { MadeSchedule, ScheduleAction } from '../../contract/schedules.ts';
import { shownUrl } from '../../net/shown-url.ts';
import type { Executor, Transaction } from '../client.ts';
import {
  type SealedSchedule,
  type StoredSchedule,
  sealedSchedule,
} from '../ledger/schedule-seal.ts';
import type { OuterRow, Row } from '../row.ts';

export type ScheduleRow = StoredSchedule &
  Row<'schedule', 'cursor_at' | 'next_due_at' | 'revision'>;

/** The columns of a {@link ScheduleRow}, from a schedule `s`. */
export const scheduleColumns = (sql: Executor) => sql`
  ${sealedSchedule(sql)}, s.cursor_at, s.next_due_at, s.revision`;

/**
 * A statement that waits for a lock would see the seals as they were before the wait.
 * @returns undefined for an id that is no schedule's
 */
export async function lockSchedule(
  tx: Transaction,
  scheduleId: string,
): Promise<ScheduleRow | undefined> {
  await tx`SELECT 1 FROM schedule WHERE schedule_id = ${scheduleId} FOR UPDATE`;
  const [row] = await tx<ScheduleRow[]>`
    SELECT ${scheduleColumns(tx)} FROM schedule s WHERE s.schedule_id = ${scheduleId}`;
  return row;
}

export const madeOf = (row: SealedSchedule): MadeSchedule => ({
  scheduleId: row.schedule_id,
  name: row.name,
  workspace: row.workspace,
  owner: row.owner,
  role: row.owner_role,
  seesOwn: row.sees_own,
  when: row.cadence,
  overlap: row.overlap,
  catchUp: row.catch_up,
  catchUpSeconds: row.catch_up_seconds,
  action: row.action,
  createdAt: row.created_at,
});

export function scheduleOf(row: ScheduleRow, runs: readonly ScheduleRun[]): Schedule {
  const { seesOwn: _, action, ...made } = madeOf(row);
  const { revision } = row;
  const { paused_at: at, paused_by: by, pause_reason: reason } = row;
  return {
    ...made,
    revision,
    ...shownAction(action),
    ...(at === null
      ? {}
      : { paused: { at, reason: reason ?? 'person', ...(by === null ? {} : { by }) } }),
    ...(row.next_due_at === null ? {} : { nextDueAt: row.next_due_at }),
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
    runs: [...runs],
  };
}

/** Queries of webhooks may hold secrets. */
export function shownAction({ start, wake }: ScheduleAction): Pick<Schedule, 'start' | 'wake'> {
  if (start === undefined) return { wake };
  const { notify, ...rest } = start;
  if (notify === undefined) return { start };
  return { start: { ...rest, notify: notify.map((one) => ({ ...one, url: shownUrl(one.url) })) } };
}

type RunRow = Row<'schedule_run', 'schedule_id' | 'due_at' | 'state' | 'reason' | 'count'> &
  Row<'schedule_run', 'goal_id' | 'asked_by'> &
  OuterRow<'goal', 'status'>;

/** The newest runs of each of these schedules. */
export async function readRuns(
  sql: Executor,
  scheduleIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, ScheduleRun[]>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql<RunRow[]>`
    SELECT r.schedule_id, r.due_at, r.state, r.reason, r.count, r.goal_id, r.asked_by, g.status
    FROM schedule s
    CROSS JOIN LATERAL (
      SELECT * FROM schedule_run o WHERE o.schedule_id = s.schedule_id
      ORDER BY o.due_at DESC LIMIT ${most}
    ) r
    LEFT JOIN goal g ON g.goal_id = r.goal_id
    WHERE s.schedule_id IN ${sql([...scheduleIds])}
    ORDER BY r.schedule_id, r.due_at DESC`;
  const found = new Map<string, ScheduleRun[]>(scheduleIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.schedule_id)?.push(runOf(row));
  return found;
}

const runOf = ({ due_at: dueAt, state, reason, count, ...row }: RunRow): ScheduleRun => ({
  dueAt,
  state,
  ...(reason === null ? {} : { reason }),
  ...(count === 1 ? {} : { count }),
  ...(row.goal_id === null ? {} : { goalId: row.goal_id }),
  ...(row.status === null ? {} : { goalStatus: row.status }),
  ...(row.asked_by === null ? {} : { askedBy: row.asked_by }),
});

export async function readSchedule(
  sql: Executor,
  scheduleId: string,
  mostRuns: number,
): Promise<Schedule | null> {
  const [row] = await sql<ScheduleRow[]>`
    SELECT ${scheduleColumns(sql)} FROM schedule s WHERE s.schedule_id = ${scheduleId}`;
  if (row === undefined) return null;
  return scheduleOf(row, (await readRuns(sql, [scheduleId], mostRuns)).get(scheduleId) ?? []);
}
