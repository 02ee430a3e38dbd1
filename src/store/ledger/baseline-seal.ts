import type { Executor, Transaction } from '../client.ts';
import { canonicalJson, storable } from '../json.ts';
import type { Row } from '../row.ts';
import {
  type Counted,
  isCountedIntact,
  type NewestSeal,
  newestSeal,
  nextSeal,
  storeSeal,
} from './counted-seal.ts';
import { digestUnder, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/**
 * What a criterion's command told before the work decides which tests a proof has to see. The
 * service's own user of the database can neither move such a row nor take it away; its newest seal
 * says what the service wrote last, so nothing that it told before comes back.
 */
type BaselineRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body'> & {
  readonly sealed: NewestSeal;
};

const subject = (sql: Executor) => sql`b.goal_id || ' ' || b.criterion_id`;

export const readBaselines = (
  sql: Executor,
  goalId: string,
  criterionId: string | null = null,
): Promise<BaselineRow[]> =>
  sql<BaselineRow[]>`
    SELECT b.goal_id, b.criterion_id, b.body, ${newestSeal(sql, 'baseline', subject(sql))} AS sealed
    FROM criterion_baseline b
    WHERE b.goal_id = ${goalId} AND (${criterionId}::text IS NULL OR b.criterion_id = ${criterionId})
    ORDER BY b.criterion_id`.then((rows) => [...rows]);

const counted = ({ goal_id, criterion_id, body, sealed }: BaselineRow): Counted => ({
  ...{ kind: 'baseline', subject: `${goal_id} ${criterion_id}`, content: body, sealed },
});

export const isBaselineIntact = (keys: LedgerKeys, row: BaselineRow): boolean =>
  isCountedIntact(keys, counted(row));

/** Stores what a criterion told, in place of what it told before; the goal is locked. */
export async function storeBaseline(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { criterionId, ...told }: { readonly criterionId: string },
): Promise<void> {
  const body = tx.json(storable({ criterionId, ...told }));
  await tx`
    INSERT INTO criterion_baseline (goal_id, criterion_id, body)
    VALUES (${goalId}, ${criterionId}, ${body})
    ON CONFLICT (goal_id, criterion_id) DO UPDATE SET body = excluded.body`;
  for (const row of await readBaselines(tx, goalId, criterionId))
    await storeSeal(tx, nextSeal(keys, counted(row)));
}

/** Once, a row bore its own seal, which a former one of the same criterion also holds by. */
type BornRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body' | 'seal'>;
/** From which number on it did. */
const SINCE = 4;

const bearsItsSeal = (keys: LedgerKeys, { goal_id, criterion_id, body, seal }: BornRow): boolean =>
  byAnyKey(keys, (key) =>
    digestUnder(key, (digest) =>
      digest.update(canonicalJson(storable(['baseline', goal_id, criterion_id, body]))),
    ),
  ).includes(seal ?? '');

/**
 * Takes in what was told before such seals: where rows bore their own already, those that still hold
 * by it. Later on, what has none was told by no command.
 */
export async function adoptBaselines(
  tx: Transaction,
  keys: LedgerKeys,
  covered: number,
): Promise<void> {
  const rows = await tx<BornRow[]>`
    SELECT goal_id, criterion_id, body, seal FROM criterion_baseline
    ORDER BY goal_id, criterion_id`;
  for (const row of rows.filter((one) => covered < SINCE || bearsItsSeal(keys, one)))
    for (const told of await readBaselines(tx, row.goal_id, row.criterion_id))
      if (told.sealed === null) await storeSeal(tx, nextSeal(keys, counted(told)));
}

/** Seals by the first key what a former one sealed, so that the former one may go. */
export async function renewBaselines(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const due = await tx<Pick<BornRow, 'goal_id' | 'criterion_id'>[]>`
    SELECT b.goal_id, b.criterion_id FROM criterion_baseline b
    WHERE NOT starts_with(${newestSeal(tx, 'baseline', subject(tx))}->>'seal',
      ${`${keys.sealing?.keyId}.`})
    FOR UPDATE`;
  for (const { goal_id: goalId, criterion_id: criterionId } of due)
    for (const row of await readBaselines(tx, goalId, criterionId))
      if (isBaselineIntact(keys, row) && !row.sealed?.seal.startsWith(`${keys.sealing?.keyId}.`))
        await storeSeal(tx, nextSeal(keys, counted(row)));
}
