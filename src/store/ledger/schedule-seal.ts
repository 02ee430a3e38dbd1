import type { Executor, Transaction } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, sealedAs } from './counted-table.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/** All that people decide about a schedule, anew with each change: none that is over begins again. */
const SEALED = [
  ...(['schedule_id', 'name', 'workspace', 'owner', 'owner_role', 'sees_own', 'cadence'] as const),
  ...(['overlap', 'catch_up', 'catch_up_seconds', 'action', 'paused_by'] as const),
  ...(['pause_reason', 'deleted_by'] as const),
] as const;
const TIMES = ['created_at', 'paused_at', 'deleted_at'] as const;

/** A new column is a type error here. */
export const SCHEDULE_COLUMNS: Columns<'schedule'> = {
  ...sealedAs(SEALED),
  created_at: 'iso',
  paused_at: 'iso',
  deleted_at: 'iso',
  cursor_at: { free: 'a due time acts once, by the id of the goal that it starts' },
  next_due_at: { free: 'is computed from the cadence each time' },
  seal: { free: 'a digest where there is no key' },
  revision: { free: 'a fence: another number refuses a change' },
  told_revision: { free: 'whether Temporal has heard of it' },
};

export type SealedSchedule = Row<'schedule', (typeof SEALED)[number] | (typeof TIMES)[number]>;

/** A schedule as it is stored, with its newest seal. */
export type StoredSchedule = SealedSchedule &
  Row<'schedule', 'seal'> & { readonly sealed: NewestSeal };

/** The columns of a {@link StoredSchedule}, from a schedule `s`, in the snapshot of any statement. */
export const sealedSchedule = (sql: Executor) => sql`
  s.schedule_id, s.name, s.workspace, s.owner, s.owner_role, s.sees_own, s.cadence, s.overlap,
  s.catch_up, s.catch_up_seconds, s.action, s.created_at, s.paused_at, s.paused_by,
  s.pause_reason, s.deleted_at, s.deleted_by, s.seal,
  ${newestSeal(sql, 'schedule', sql`s.schedule_id`)} AS sealed`;

export const schedules = countedTable<StoredSchedule>({
  kind: 'schedule',
  since: 9,
  subject: ({ schedule_id: id }) => id,
  content: contentBy(SCHEDULE_COLUMNS),
  read: readAll,
  held: async (tx, keys, covered) => {
    const held = (await readAll(tx)).filter((row) =>
      covered < SINCE
        ? holds(null, row)
        : byAnyKey(keys, (key) => sealIn(key, row)).includes(row.seal),
    );
    return new Set(held.map(({ schedule_id: id }) => id));
  },
});

/** From then on until now a schedule bore its seal itself, where a digest stands without a key. */
const SINCE = 2;

function readAll(tx: Transaction): PromiseLike<readonly StoredSchedule[]> {
  return tx<StoredSchedule[]>`
    SELECT ${sealedSchedule(tx)} FROM schedule s ORDER BY s.schedule_id`;
}

const sealIn = (key: LedgerKey | null, row: SealedSchedule): string =>
  digestUnder(key, (digest) => digest.update(canonicalStorable(['schedule', wordsOf(row)])));

const holds = (key: LedgerKey | null, row: SealedSchedule & Row<'schedule', 'seal'>): boolean =>
  row.seal === sealIn(key, row);

/** Names a schedule in the log, and vouches for it where there is no key. */
export const scheduleDigest = (row: SealedSchedule): string => sealIn(null, row);

/** With keys only seals count: whoever writes the row could write the digest, too. */
export const isScheduleIntact = (keys: LedgerKeys, row: StoredSchedule): boolean =>
  keys.sealing === null ? holds(null, row) : schedules.isIntact(keys, row);

/** Only what is sealed, whatever else the row was read with. */
const wordsOf = (row: SealedSchedule): unknown[] => [
  ...[row.schedule_id, row.name, row.workspace, row.owner, row.owner_role, row.sees_own],
  ...[row.cadence, row.overlap, row.catch_up, row.catch_up_seconds, row.action, row.created_at],
  ...[row.paused_at, row.paused_by, row.pause_reason, row.deleted_at, row.deleted_by],
];
