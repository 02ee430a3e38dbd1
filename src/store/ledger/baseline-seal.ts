import type { Executor, Transaction } from '../client.ts';
import { canonicalJson, storable } from '../json.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable } from './counted-table.ts';
import { digestUnder, type LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';
import { byAnyKey } from './seals.ts';

/**
 * What a criterion's command told before the work decides which tests a proof has to see. The
 * service's own user of the database can neither move such a row nor take it away; its newest seal
 * says what the service wrote last, so nothing that it told before comes back.
 */
type BaselineRow = Row<'criterion_baseline', 'goal_id' | 'criterion_id' | 'body'> & {
  readonly sealed: NewestSeal;
};

/** A new column is a type error here. */
const BASELINE_COLUMNS: Columns<'criterion_baseline'> = {
  goal_id: 'key',
  criterion_id: 'key',
  body: 'sealed',
  seal: { free: 'is read once, where seals cover less' },
};

const content = contentBy(BASELINE_COLUMNS);

export const baselines = countedTable<BaselineRow>({
  kind: 'baseline',
  since: 6,
  subject: ({ goal_id: goalId, criterion_id: criterionId }) => `${goalId} ${criterionId}`,
  content: (row) => content(row).body,
  read: (tx) => tx<BaselineRow[]>`${baselinesOf(tx, tx`true`)}`,
  held: async (tx, keys, covered) => (covered < SINCE ? 'all' : await bornSealed(tx, keys)),
});

export const isBaselineIntact = baselines.isIntact;

const baselinesOf = (sql: Executor, which: Fragment) => sql`
  SELECT b.goal_id, b.criterion_id, b.body,
    ${newestSeal(sql, 'baseline', sql`b.goal_id || ' ' || b.criterion_id`)} AS sealed
  FROM criterion_baseline b WHERE ${which} ORDER BY b.goal_id, b.criterion_id`;

export async function readBaselines(
  sql: Executor,
  goalId: string,
  criterionId: string | null = null,
): Promise<BaselineRow[]> {
  const which = sql`
    b.goal_id = ${goalId} AND (${criterionId}::text IS NULL OR b.criterion_id = ${criterionId})`;
  return [...(await sql<BaselineRow[]>`${baselinesOf(sql, which)}`)];
}

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
  await baselines.seal(tx, keys, await readBaselines(tx, goalId, criterionId));
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

async function bornSealed(tx: Transaction, keys: LedgerKeys): Promise<ReadonlySet<string>> {
  const rows = await tx<
    BornRow[]
  >`SELECT goal_id, criterion_id, body, seal FROM criterion_baseline`;
  const held = rows.filter((row) => bearsItsSeal(keys, row));
  return new Set(held.map(({ goal_id: goalId, criterion_id: id }) => `${goalId} ${id}`));
}
