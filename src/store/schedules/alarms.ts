import { OrderRefused } from '../../contract/failures.ts';
import type { Alarm, AlarmsPort } from '../../contract/schedules.ts';
import { type DecidedDue, decideDue } from '../../record/schedules/decide-due.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isScheduleIntact } from '../ledger/schedule-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { readBusy } from './busy.ts';
import { lockSchedule, madeOf, type ScheduleRow } from './schedule-row.ts';

/** An alarm of Temporal's comes first where there is one. */
const OVERDUE_SECONDS = 3;

export const createAlarms = (db: Database, keys: LedgerKeys): AlarmsPort =>
  withTypedErrors<AlarmsPort>({
    async look(scheduleId) {
      for (;;) {
        const { hasMore, nextInMs } = await db.begin((tx) => lookOnce(tx, keys, scheduleId));
        if (!hasMore) return nextInMs;
      }
    },

    async overdue() {
      const rows = await db<Row<'schedule', 'schedule_id'>[]>`
        SELECT schedule_id FROM schedule
        WHERE next_due_at < now() - make_interval(secs => ${OVERDUE_SECONDS})
          AND paused_at IS NULL AND deleted_at IS NULL
        ORDER BY next_due_at LIMIT 200`;
      return rows.map(({ schedule_id: scheduleId }) => scheduleId);
    },

    async untold() {
      const rows = await db<AlarmRow[]>`
        SELECT schedule_id, cadence, created_at, paused_at, deleted_at, revision FROM schedule
        WHERE told_revision < revision ORDER BY created_at LIMIT 100`;
      return rows.map(alarmOf);
    },

    async standing() {
      const rows = await db<AlarmRow[]>`
        SELECT schedule_id, cadence, created_at, paused_at, deleted_at, revision FROM schedule
        WHERE deleted_at IS NULL AND told_revision = revision ORDER BY schedule_id`;
      return rows.map(alarmOf);
    },

    async told({ scheduleId, revision }) {
      await db`
        UPDATE schedule SET told_revision = ${revision}
        WHERE schedule_id = ${scheduleId} AND told_revision < ${revision}`;
    },
  });

type AlarmRow = Row<'schedule', 'schedule_id' | 'cadence' | 'created_at' | 'revision'> &
  Row<'schedule', 'paused_at' | 'deleted_at'>;

const alarmOf = (row: AlarmRow): Alarm => ({
  scheduleId: row.schedule_id,
  when: row.cadence,
  createdAt: row.created_at,
  isOn: row.paused_at === null,
  isDeleted: row.deleted_at !== null,
  revision: row.revision,
});

interface Looked {
  readonly hasMore: boolean;
  readonly nextInMs: number | null;
}

const NOTHING: Looked = { hasMore: false, nextInMs: null };

/** Decides what came due of a schedule, a bounded number at once, under its lock. */
export async function lookOnce(
  tx: Transaction,
  keys: LedgerKeys,
  scheduleId: string,
): Promise<Looked> {
  const row = await lockSchedule(tx, scheduleId);
  if (row === undefined) throw new OrderRefused('no_order');
  const { next_due_at: nextDueAt } = row;
  if (row.paused_at !== null || row.deleted_at !== null || nextDueAt === null) return NOTHING;
  const now = await readNow(tx);
  if (nextDueAt > now) return { hasMore: false, nextInMs: untilFrom(nextDueAt, now) };
  const { isBusy, hasWaiting } = await readBusy(tx, scheduleId);
  const standing = { ...madeOf(row), cursor: row.cursor_at, isBusy: isBusy || hasWaiting };
  const decided = decideDue({ ...standing, hasWaiting, madeAt: row.created_at }, now);
  await storeDecided(tx, keys, row, decided);
  return {
    hasMore: decided.hasMore,
    nextInMs: decided.nextDueAt === null ? null : untilFrom(decided.nextDueAt, now),
  };
}

const untilFrom = (at: string, now: string): number =>
  Math.max(0, Date.parse(at) - Date.parse(now));

/** The clock of the database is everybody's; a wait for the lock is over by now. */
export async function readNow(tx: Transaction): Promise<string> {
  const [row] = await tx<[{ now: string }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

async function storeDecided(
  tx: Transaction,
  keys: LedgerKeys,
  row: ScheduleRow,
  { runs, cursor, nextDueAt }: DecidedDue,
): Promise<void> {
  const { schedule_id: scheduleId } = row;
  const isIntact = isScheduleIntact(keys, row);
  for (const { dueAt, state, count } of runs) {
    const own = isIntact || state === 'missed' ? state : 'refused';
    const due = { schedule_id: scheduleId, due_at: dueAt, asked_by: null };
    const seal = sealWritten(keys, 'schedule_run', due);
    const isOpen = own === 'due' || own === 'waiting';
    await tx`
      INSERT INTO schedule_run (schedule_id, due_at, state, reason, count, settled_at, seal)
      VALUES (${scheduleId}, ${dueAt}, ${own}, ${reasonOf(own)}, ${count},
        ${isOpen ? null : tx`now()`}, ${seal})
      ON CONFLICT (schedule_id, due_at) DO NOTHING`;
  }
  await tx`
    UPDATE schedule SET cursor_at = greatest(cursor_at, ${cursor}), next_due_at = ${nextDueAt}
    WHERE schedule_id = ${scheduleId}`;
  if (!isIntact && runs.some(({ state }) => state !== 'missed'))
    await appendToSecurityLog(tx, keys, alteredEntry(scheduleId));
}

export const ALTERED =
  'What is stored of it is not what people made it: look at the security log, delete it, and make it anew.';

function reasonOf(state: string): string | null {
  if (state === 'skipped') return 'what it began before is not over';
  return state === 'refused' ? ALTERED : null;
}

const alteredEntry = (scheduleId: string) => ({
  ...{ who: null, role: null, address: null, what: 'schedule_refused' as const },
  ...{ subject: scheduleId, result: 'refused' as const, data: { why: 'altered' } },
});
