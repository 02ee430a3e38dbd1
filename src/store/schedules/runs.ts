import type { OpenRun, RunEnd, ScheduleRunsPort } from '../../contract/schedules.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { withHeldLock } from '../held-lock.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isScheduleIntact } from '../ledger/schedule-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { readBusy } from './busy.ts';
import { pauseRow } from './change.ts';
import { lockSchedule, madeOf, type ScheduleRow, scheduleColumns } from './schedule-row.ts';

const LOCK_NAME = 'goalkeeper schedules';
const MOST_A_ROUND = 50;

export const createScheduleRuns = (db: Database, keys: LedgerKeys): ScheduleRunsPort =>
  withTypedErrors<ScheduleRunsPort>({
    withLock: (work) => withHeldLock(db, LOCK_NAME, work),

    async hasOpen() {
      const [row] = await db<[{ hasOpen: boolean }]>`
        SELECT EXISTS (
          SELECT 1 FROM schedule_run WHERE state IN ('due', 'waiting')) AS "hasOpen"`;
      return row.hasOpen;
    },

    async open() {
      const waiting = await db<Row<'schedule_run', 'schedule_id'>[]>`
        SELECT DISTINCT schedule_id FROM schedule_run WHERE state = 'waiting'`;
      for (const { schedule_id: scheduleId } of waiting)
        await db.begin((tx) => endWait(tx, scheduleId));
      const rows = await db<DueRow[]>`
        SELECT r.due_at, r.asked_by, r.seal AS run_seal, ${scheduleColumns(db)}
        FROM schedule_run r JOIN schedule s USING (schedule_id)
        WHERE r.state = 'due' ORDER BY r.due_at LIMIT ${MOST_A_ROUND}`;
      return rows.map((row) => openRunOf(row, keys));
    },

    settle: (run, end) => db.begin((tx) => settle(tx, keys, run, end)),

    async troubled({ dueAt, schedule: { scheduleId } }, reason) {
      await db`
        UPDATE schedule_run SET reason = ${reason}
        WHERE schedule_id = ${scheduleId} AND due_at = ${dueAt} AND state = 'due'
          AND reason IS DISTINCT FROM ${reason}`;
    },
  });

type DueRow = ScheduleRow &
  Row<'schedule_run', 'due_at' | 'asked_by'> & { readonly run_seal: string | null };

const openRunOf = (
  { due_at: dueAt, asked_by: askedBy, run_seal: seal, ...row }: DueRow,
  keys: LedgerKeys,
): OpenRun => ({
  dueAt,
  schedule: madeOf(row),
  isDeleted: row.deleted_at !== null,
  isIntact:
    isScheduleIntact(keys, row) &&
    isWritten(keys, 'schedule_run', {
      ...{ schedule_id: row.schedule_id, due_at: dueAt, asked_by: askedBy, seal },
    }),
});

/** One waits at most; under the lock nobody decides that another one does. */
async function endWait(tx: Transaction, scheduleId: string): Promise<void> {
  if ((await lockSchedule(tx, scheduleId)) === undefined) return;
  const { isBusy } = await readBusy(tx, scheduleId);
  if (isBusy) return;
  await tx`
    UPDATE schedule_run SET state = 'due'
    WHERE schedule_id = ${scheduleId} AND due_at = (
      SELECT min(due_at) FROM schedule_run WHERE schedule_id = ${scheduleId} AND state = 'waiting')`;
}

async function settle(
  tx: Transaction,
  keys: LedgerKeys,
  { dueAt, schedule: { scheduleId, owner, role } }: OpenRun,
  end: RunEnd,
): Promise<void> {
  const { state, reason, goalId, messageId, pauses } = end;
  const row = await lockSchedule(tx, scheduleId);
  const isBegun = state === 'started' || state === 'woken';
  const { count } = await tx`
    UPDATE schedule_run SET state = ${state}, reason = ${reason ?? null},
      goal_id = ${goalId ?? null}, message_id = ${messageId ?? null}, settled_at = now()
    WHERE schedule_id = ${scheduleId} AND due_at = ${dueAt}
      AND (state = 'due' OR (${isBegun} AND goal_id IS NULL))`;
  if (count === 0 || row === undefined || pauses === undefined) return;
  if (row.paused_at !== null || row.deleted_at !== null) return;
  await pauseRow(tx, keys, row, { by: null, reason: pauses });
  await appendToSecurityLog(tx, keys, {
    ...{ who: owner, role, address: null, what: 'schedule_paused', subject: scheduleId },
    ...{ result: 'done', data: { why: pauses } },
  });
}
