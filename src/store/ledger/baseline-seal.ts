import type { Executor, Transaction } from '../client.ts';
import { canonicalJson, storable } from '../json.ts';
import type { Row } from '../row.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/**
 * What a criterion's command told before the work decides which tests a proof has to see. The
 * service's own user of the database can neither move such a row nor take it away; its seal says
 * that the service wrote it.
 */
export type BaselineRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body' | 'seal'>;

export const baselineSeal = (
  key: LedgerKey,
  { goal_id: goalId, criterion_id: criterionId, body }: Omit<BaselineRow, 'seal'>,
): string =>
  digestUnder(key, (digest) =>
    digest.update(canonicalJson(storable(['baseline', goalId, criterionId, body]))),
  );

/** Without a key nothing is sealed, and every row counts. */
export const isBaselineIntact = (keys: LedgerKeys, row: BaselineRow): boolean =>
  keys.sealing === null || byAnyKey(keys, (key) => baselineSeal(key, row)).includes(row.seal ?? '');

export const readBaselines = (sql: Executor, goalId: string) => sql<BaselineRow[]>`
  SELECT goal_id, criterion_id, body, seal FROM criterion_baseline
  WHERE goal_id = ${goalId} ORDER BY criterion_id`;

/** Takes in what was there before seals covered it; later on, what has none is no baseline. */
export async function adoptBaselines(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<BaselineRow[]>`
    SELECT goal_id, criterion_id, body, seal FROM criterion_baseline WHERE seal IS NULL`;
  for (const row of rows) await sealBaseline(tx, keys, row);
}

/** Seals by the first key what a former one sealed, so that the former one may go. */
export async function renewBaselines(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<BaselineRow[]>`
    SELECT goal_id, criterion_id, body, seal FROM criterion_baseline
    WHERE seal IS NOT NULL AND NOT starts_with(seal, ${`${keys.sealing?.keyId}.`})`;
  for (const row of rows) if (isBaselineIntact(keys, row)) await sealBaseline(tx, keys, row);
}

/** Only while it is as it was read: somebody may replace it meanwhile. */
async function sealBaseline(
  tx: Transaction,
  { sealing }: LedgerKeys,
  row: BaselineRow,
): Promise<void> {
  if (sealing === null) return;
  await tx`
    UPDATE criterion_baseline SET seal = ${baselineSeal(sealing, row)}
    WHERE goal_id = ${row.goal_id} AND criterion_id = ${row.criterion_id}
      AND seal IS NOT DISTINCT FROM ${row.seal}`;
}
