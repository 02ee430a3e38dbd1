import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { countedTable, rowsOf } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * What a trigger brought: what it does and by whose rights, how far it came, and in whose sight an
 * event took effect. A goal hears of no other, and nothing is done by one that somebody else wrote or
 * put back.
 */
export type SealedDelivery = Row<
  'trigger_delivery',
  'delivery_id' | 'trigger_id' | 'state' | 'act' | 'sight' | 'goal_id'
> & {
  /** By whose rights its trigger acts. */
  readonly owner: string | null;
  readonly owner_role: string | null;
  /** Milliseconds: a wait hears of what came since it began. */
  readonly settled_at: number | null;
  readonly sealed: NewestSeal;
};

/** A delivery `d` as a JSON object, in the snapshot of any statement. */
export const sealedDelivery = (sql: Executor) => sql`
  jsonb_build_object('delivery_id', d.delivery_id, 'trigger_id', d.trigger_id, 'state', d.state,
    'act', d.act, 'sight', d.sight, 'goal_id', d.goal_id,
    'owner', (SELECT o.owner FROM inbound_trigger o WHERE o.trigger_id = d.trigger_id),
    'owner_role', (SELECT o.owner_role FROM inbound_trigger o WHERE o.trigger_id = d.trigger_id),
    'settled_at', (extract(epoch FROM d.settled_at) * 1000)::bigint,
    'sealed', ${newestSeal(sql, 'delivery', sql`d.delivery_id`)})`;

export const deliveries = countedTable<SealedDelivery>({
  kind: 'delivery',
  since: 6,
  subject: ({ delivery_id: id }) => id,
  content: ({ sealed: _, ...content }) => content,
  read: (tx) => rowsOf(tx<Found[]>`${deliveriesOf(tx, tx`d.pruned_at IS NULL`)}`),
  isKept: true,
});

export const isDeliveryIntact = deliveries.isIntact;

type Found = { readonly row: SealedDelivery };

const deliveriesOf = (sql: Executor, which: Fragment) => sql`
  SELECT ${sealedDelivery(sql)} AS row FROM trigger_delivery d WHERE ${which} ORDER BY d.seq`;

const readById = (sql: Executor, id: string): Promise<SealedDelivery[]> =>
  rowsOf(sql<Found[]>`${deliveriesOf(sql, sql`d.delivery_id = ${id}`)}`);

export async function readDelivery(sql: Executor, id: string): Promise<SealedDelivery | null> {
  const [row] = await readById(sql, id);
  return row ?? null;
}

/** Those that said something to a goal. Of one that is not kept any more only its name is left. */
export function readDeliveriesOf(sql: Executor, goalId: string): Promise<SealedDelivery[]> {
  const isOfGoal = sql`d.pruned_at IS NULL AND (d.goal_id = ${goalId} OR EXISTS (
    SELECT 1 FROM inbox i
    WHERE i.goal_id = ${goalId} AND i.message_id = 'm-' || d.delivery_id || '-' || i.goal_id))`;
  return rowsOf(sql<Found[]>`${deliveriesOf(sql, isOfGoal)}`);
}

/** Seals a delivery that this transaction inserted. */
export async function sealNewDelivery(
  tx: Transaction,
  keys: LedgerKeys,
  deliveryId: string,
): Promise<void> {
  if (keys.sealing === null) return;
  const row = await readDelivery(tx, deliveryId);
  if (row?.sealed === null) await deliveries.seal(tx, keys, [row]);
}

/** Seals what `change` makes of a delivery, unless somebody else had changed it before. */
export async function changingDelivery<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  deliveryId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  if (keys.sealing === null) return await change();
  await tx`SELECT 1 FROM trigger_delivery WHERE delivery_id = ${deliveryId} FOR UPDATE`;
  return await deliveries.changing(tx, keys, () => readById(tx, deliveryId), change);
}
