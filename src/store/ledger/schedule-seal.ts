import type { Transaction } from '../client.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/** All that people decide about a schedule. */
export type SealedSchedule = Row<
  'schedule',
  | 'schedule_id'
  | 'name'
  | 'workspace'
  | 'owner'
  | 'owner_role'
  | 'sees_own'
  | 'cadence'
  | 'overlap'
  | 'catch_up'
  | 'catch_up_seconds'
  | 'action'
  | 'created_at'
  | 'paused_at'
  | 'paused_by'
  | 'pause_reason'
  | 'deleted_at'
  | 'deleted_by'
>;

/** A digest where there is no key. */
export const scheduleSeal = (key: LedgerKey | null, row: SealedSchedule): string =>
  digestUnder(key, (digest) => digest.update(canonicalStorable(['schedule', contentOf(row)])));

/** With keys only a seal counts: whoever writes the row could write the digest, too. */
export const isScheduleIntact = (
  keys: LedgerKeys,
  { seal, ...row }: SealedSchedule & Row<'schedule', 'seal'>,
): boolean =>
  keys.sealing === null
    ? seal === scheduleSeal(null, row)
    : byAnyKey(keys, (key) => scheduleSeal(key, row)).includes(seal);

/** Takes in what was made before there was a key. */
export async function sealSchedules(tx: Transaction, { sealing }: LedgerKeys): Promise<void> {
  const rows = await tx<(SealedSchedule & Row<'schedule', 'seal'>)[]>`
    SELECT schedule_id, name, workspace, owner, owner_role, sees_own, cadence, overlap, catch_up,
      catch_up_seconds, action, created_at, paused_at, paused_by, pause_reason, deleted_at,
      deleted_by, seal
    FROM schedule FOR UPDATE`;
  for (const { seal, ...row } of rows) {
    if (seal !== scheduleSeal(null, row)) continue;
    await tx`
      UPDATE schedule SET seal = ${scheduleSeal(sealing, row)}
      WHERE schedule_id = ${row.schedule_id}`;
  }
}

/** Only what is sealed, whatever else the row was read with. */
const contentOf = (row: SealedSchedule): unknown[] => [
  ...[row.schedule_id, row.name, row.workspace, row.owner, row.owner_role, row.sees_own],
  ...[row.cadence, row.overlap, row.catch_up, row.catch_up_seconds, row.action, row.created_at],
  ...[row.paused_at, row.paused_by, row.pause_reason, row.deleted_at, row.deleted_by],
];
