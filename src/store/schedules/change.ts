import type { Caller } from '../../../schema/role.ts';
import type { SchedulePause } from '../../../schema/schedule.ts';
import { Refusal } from '../../contract/failures.ts';
import type { ScheduleAct } from '../../contract/schedules.ts';
import { nextDue } from '../../record/schedules/due-times.ts';
import type { Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import {
  isScheduleIntact,
  type StoredSchedule,
  scheduleDigest,
  schedules,
} from '../ledger/schedule-seal.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import { ALTERED, readNow } from './alarms.ts';
import { readBusy } from './busy.ts';
import type { ScheduleRow } from './schedule-row.ts';

/**
 * Changes a locked schedule as somebody asked; what is so already stays as it is.
 * @throws Refusal
 */
export async function changeRow(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  act: ScheduleAct,
  { name: by, role }: Pick<Caller, 'name' | 'role'>,
): Promise<void> {
  if (act === 'pause') {
    const reason = role === 'agent' ? 'program' : 'person';
    if (row.paused_at === null) await pauseRow(tx, keys, row, { by, reason });
    return;
  }
  if (act === 'delete') return await deleteRow(tx, keys, row, by);
  assertIntact(keys, row);
  if (act === 'run') return await runNow(tx, keys, row, by);
  if (row.paused_at !== null) await resumeRow(tx, keys, row);
}

export function assertIntact(keys: LedgerKeys, row: ScheduleRow): void {
  if (!isScheduleIntact(keys, row)) throw new Refusal('invalid_transition', ALTERED);
}

/** What a paused schedule would have begun is over with it; what is begun already goes on. */
export async function pauseRow(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  { by, reason }: { readonly by: string | null; readonly reason: SchedulePause },
): Promise<void> {
  const at = await readNow(tx);
  await write(tx, keys, row, {
    sealed: { ...row, paused_at: at, paused_by: by, pause_reason: reason },
    nextDueAt: null,
    cursorAt: row.cursor_at,
  });
  await skipWaiting(tx, row, 'the schedule was paused');
}

/** Due times of the pause are not made up. */
async function resumeRow(tx: Transaction, keys: LedgerKeys, row: ScheduleRow): Promise<void> {
  const now = await readNow(tx);
  const timed = { when: row.cadence, madeAt: row.created_at };
  await write(tx, keys, row, {
    sealed: { ...row, paused_at: null, paused_by: null, pause_reason: null },
    nextDueAt: nextDue(timed, now),
    cursorAt: now,
  });
}

async function deleteRow(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  by: string,
): Promise<void> {
  const at = await readNow(tx);
  await write(tx, keys, row, {
    sealed: { ...row, deleted_at: at, deleted_by: by },
    nextDueAt: null,
    cursorAt: row.cursor_at,
  });
  await skipWaiting(tx, row, 'the schedule was deleted');
}

interface Written {
  readonly sealed: StoredSchedule;
  readonly nextDueAt: string | null;
  readonly cursorAt: string;
}

/** A seal that didn't hold before is not made to hold. */
async function write(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  { sealed, nextDueAt, cursorAt }: Written,
): Promise<void> {
  const isOurs = isScheduleIntact(keys, row);
  const seal = isOurs ? scheduleDigest(sealed) : row.seal;
  await tx`
    UPDATE schedule SET paused_at = ${sealed.paused_at}, paused_by = ${sealed.paused_by},
      pause_reason = ${sealed.pause_reason}, deleted_at = ${sealed.deleted_at},
      deleted_by = ${sealed.deleted_by}, next_due_at = ${nextDueAt},
      cursor_at = greatest(cursor_at, ${cursorAt}),
      seal = ${seal}, revision = revision + 1
    WHERE schedule_id = ${row.schedule_id}`;
  if (isOurs) await schedules.seal(tx, keys, [sealed]);
}

const skipWaiting = (tx: Transaction, { schedule_id: scheduleId }: ScheduleRow, why: string) => tx`
  UPDATE schedule_run SET state = 'skipped', reason = ${why}, settled_at = now()
  WHERE schedule_id = ${scheduleId} AND state = 'waiting'`;

/** Beside the clock, by the same policy: whoever asks hears at once what stands in the way. */
async function runNow(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  by: string,
): Promise<void> {
  const { isBusy, hasWaiting } = await readBusy(tx, row.schedule_id);
  const isHeld = row.overlap !== 'allow' && (isBusy || hasWaiting);
  if (isHeld && (row.overlap === 'skip' || hasWaiting)) {
    const why = hasWaiting ? 'one waits already' : 'what it began before is not over';
    throw new Refusal('invalid_transition', `It starts nothing now: ${why}.`);
  }
  const now = await readNow(tx);
  const [{ dueAt }] = await tx<[{ dueAt: string }]>`
    SELECT greatest(${now}::timestamptz, max(due_at) + interval '1 millisecond') AS "dueAt"
    FROM schedule_run
    WHERE schedule_id = ${row.schedule_id} AND due_at >= ${now}::timestamptz`;
  const due = { schedule_id: row.schedule_id, due_at: dueAt, asked_by: by };
  const seal = sealWritten(keys, 'schedule_run', due);
  await tx`INSERT INTO schedule_run ${tx({ ...due, state: isHeld ? 'waiting' : 'due', seal })}`;
}
