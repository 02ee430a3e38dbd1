import type { Schedule } from '../../../schema/schedule.ts';
import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { MadeSchedule, SchedulesPort } from '../../contract/schedules.ts';
import type { Owned, Sight } from '../../contract/sight.ts';
import { nextDue } from '../../record/schedules/due-times.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { insertRequest } from '../intake/requests.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type SealedSchedule, scheduleDigest, schedules } from '../ledger/schedule-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { lookOnce, readNow } from './alarms.ts';
import { assertIntact, changeRow } from './change.ts';
import {
  lockSchedule,
  madeOf,
  readRuns,
  readSchedule,
  type ScheduleRow,
  scheduleColumns,
  scheduleOf,
} from './schedule-row.ts';

/** More than that is a program that makes one at each of its runs. */
export const MOST_OF_OWNER = 100;
/** Newest runs that a list and an answer show. */
const SHOWN_RUNS = 8;

export const createSchedules = (db: Database, reads: Database, keys: LedgerKeys): SchedulesPort =>
  withTypedErrors<SchedulesPort>({
    add: (request, made, entry) =>
      answering(db, keys, request, 201, async (tx) => {
        const sha256 = await insert(tx, keys, made);
        await appendToSecurityLog(tx, keys, { ...entry, data: { ...entry.data, sha256 } });
        return made.scheduleId;
      }),

    change: (request, scheduleId, act, entry) =>
      answering(db, keys, request, 200, async (tx) => {
        const row = await lockSchedule(tx, scheduleId);
        if (row === undefined || row.deleted_at !== null) throw noSchedule(scheduleId);
        await changeRow(tx, keys, row, act, request.principal);
        await appendToSecurityLog(tx, keys, entry);
        return scheduleId;
      }),

    async kept(scheduleId) {
      const [row] = await db<ScheduleRow[]>`
        SELECT ${scheduleColumns(db)} FROM schedule s
        WHERE s.schedule_id = ${scheduleId} AND s.deleted_at IS NULL`;
      return row === undefined ? null : { made: madeOf(row), revision: row.revision };
    },

    amend: (request, made, restsOn, entry) =>
      answering(db, keys, request, 200, async (tx) => {
        const sha256 = await amendRow(tx, keys, made, restsOn);
        await appendToSecurityLog(tx, keys, { ...entry, data: { ...entry.data, sha256 } });
        return made.scheduleId;
      }),

    async list(sight) {
      const rows = await listRows(reads, sight);
      const ids = rows.map(({ schedule_id: id }) => id);
      const runs = await readRuns(reads, ids, SHOWN_RUNS);
      return rows.map((row) => scheduleOf(row, runs.get(row.schedule_id) ?? []));
    },

    get: (scheduleId, mostRuns) => readSchedule(reads, scheduleId, mostRuns),

    async owner(scheduleId) {
      const [row] = await reads<Owned[]>`
        SELECT owner AS "startedBy", workspace FROM schedule WHERE schedule_id = ${scheduleId}`;
      return row ?? null;
    },
  });

export const noSchedule = (scheduleId: string): Refusal =>
  new Refusal('not_found', `There is no schedule ${scheduleId}.`, { scheduleId });

/** The change and the answer to its request, or neither. */
async function answering(
  db: Database,
  keys: LedgerKeys,
  request: StoredRequest,
  status: number,
  work: (tx: Transaction) => Promise<string>,
): Promise<void> {
  await db.begin(async (tx) => {
    const known = await insertRequest(tx, keys, request);
    if (known.httpStatus !== null) return;
    const answer = await answerOf(tx, work);
    await tx`
      UPDATE request SET http_status = ${status}, answer = ${tx.json(storable(answer))},
        answered_at = now()
      WHERE commit_id = ${known.commitId}`;
  });
}

async function answerOf(
  tx: Transaction,
  work: (tx: Transaction) => Promise<string>,
): Promise<Schedule> {
  const scheduleId = await work(tx);
  const answer = await readSchedule(tx, scheduleId, SHOWN_RUNS);
  if (answer === null) throw new TypeError(`${scheduleId} is not there`);
  return answer;
}

/** @returns the digest of what was made */
async function insert(tx: Transaction, keys: LedgerKeys, made: MadeSchedule): Promise<string> {
  await assertPlace(tx, made);
  const row = rowOf(made);
  const stored = {
    ...row,
    cadence: tx.json(storable(row.cadence)),
    action: tx.json(storable(row.action)),
    cursor_at: made.createdAt,
    next_due_at: nextDue({ when: made.when, madeAt: made.createdAt }, made.createdAt),
    seal: scheduleDigest(row),
  };
  await tx`INSERT INTO schedule ${tx(stored)}`;
  await schedules.seal(tx, keys, [{ ...row, seal: stored.seal, sealed: null }]);
  return stored.seal;
}

/** Others of the owner keep their names, and none has more than the most. */
async function assertPlace(
  tx: Transaction,
  { owner, name, scheduleId }: MadeSchedule,
): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`schedules of ${owner}`}, 0))`;
  const [{ count, isTaken }] = await tx<[{ count: number; isTaken: boolean }]>`
    SELECT count(*)::int AS count, coalesce(bool_or(name = ${name}), false) AS "isTaken"
    FROM schedule
    WHERE owner = ${owner} AND deleted_at IS NULL AND schedule_id <> ${scheduleId}`;
  if (isTaken) {
    throw new Refusal('name_taken', `There is a schedule ${name} already.`, { field: 'name' });
  }
  if (count >= MOST_OF_OWNER) {
    const detail = `name: ${owner} has ${count} schedules, which is the most: delete one first.`;
    throw new Refusal('invalid_transition', detail, { field: 'name' });
  }
}

/** @returns the digest of what it is now */
async function amendRow(
  tx: Transaction,
  keys: LedgerKeys,
  made: MadeSchedule,
  restsOn: readonly number[],
): Promise<string> {
  const { scheduleId } = made;
  await assertPlace(tx, made);
  const row = await upToDate(tx, keys, scheduleId);
  const missed = restsOn.find((revision) => revision !== row.revision);
  if (missed !== undefined) {
    const detail = 'Somebody changed the schedule meanwhile: read it again.';
    const data = { expectedRevision: missed, actualRevision: row.revision };
    throw new Refusal('goal_conflict', detail, { ...data, field: 'expectedRevision' });
  }
  assertIntact(keys, row);
  const { paused_at, paused_by, pause_reason } = row;
  const next = { ...rowOf(made), paused_at, paused_by, pause_reason };
  const seal = scheduleDigest(next);
  const now = await readNow(tx);
  const nextDueAt =
    paused_at === null ? nextDue({ when: made.when, madeAt: made.createdAt }, now) : null;
  await tx`
    UPDATE schedule SET name = ${next.name}, workspace = ${next.workspace}, owner = ${next.owner},
      owner_role = ${next.owner_role}, sees_own = ${next.sees_own},
      cadence = ${tx.json(storable(next.cadence))}, overlap = ${next.overlap},
      catch_up = ${next.catch_up}, catch_up_seconds = ${next.catch_up_seconds},
      action = ${tx.json(storable(next.action))}, next_due_at = ${nextDueAt},
      cursor_at = greatest(cursor_at, ${now}),
      seal = ${seal}, revision = revision + 1
    WHERE schedule_id = ${scheduleId}`;
  await schedules.seal(tx, keys, [{ ...next, seal, sealed: row.sealed }]);
  return seal;
}

/** Locked, and all that came due is decided by what was said until now. */
async function upToDate(
  tx: Transaction,
  keys: LedgerKeys,
  scheduleId: string,
): Promise<ScheduleRow> {
  for (;;) {
    const row = await lockSchedule(tx, scheduleId);
    if (row === undefined || row.deleted_at !== null) throw noSchedule(scheduleId);
    const { hasMore } = await lookOnce(tx, keys, scheduleId);
    if (!hasMore) return row;
  }
}

const rowOf = (made: MadeSchedule): SealedSchedule => ({
  schedule_id: made.scheduleId,
  name: made.name,
  workspace: made.workspace,
  owner: made.owner,
  owner_role: made.role,
  sees_own: made.seesOwn,
  cadence: made.when,
  overlap: made.overlap,
  catch_up: made.catchUp,
  catch_up_seconds: made.catchUpSeconds,
  action: made.action,
  created_at: made.createdAt,
  ...{ paused_at: null, paused_by: null, pause_reason: null, deleted_at: null, deleted_by: null },
});

const listRows = (sql: Database, { startedBy, workspaces }: Sight) => sql<ScheduleRow[]>`
  SELECT ${scheduleColumns(sql)} FROM schedule s
  WHERE deleted_at IS NULL
    AND ${startedBy === null ? sql`true` : sql`owner = ${startedBy}`}
    AND ${workspaces === null ? sql`true` : sql`workspace IN ${sql([...workspaces])}`}
  ORDER BY name, schedule_id`;
