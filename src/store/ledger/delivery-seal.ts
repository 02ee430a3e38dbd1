import type { Executor, Transaction } from '../client.ts';
import { canonicalJson } from '../json.ts';
import type { Row } from '../row.ts';
import {
  type Counted,
  isCountedIntact,
  type NewestSeal,
  newestSeal,
  nextSeal,
  storeSeal,
} from './counted-seal.ts';
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

const counted = ({ sealed, ...content }: SealedDelivery): Counted => ({
  ...{ kind: 'delivery', subject: content.delivery_id, content, sealed },
});

export const isDeliveryIntact = (keys: LedgerKeys, delivery: SealedDelivery): boolean =>
  isCountedIntact(keys, counted(delivery));

type Found = { readonly delivery: SealedDelivery };

const deliveriesOf = (sql: Executor, which: Fragment) => sql`
  SELECT ${sealedDelivery(sql)} AS delivery FROM trigger_delivery d WHERE ${which}
  ORDER BY d.seq`;

export async function readDelivery(sql: Executor, id: string): Promise<SealedDelivery | null> {
  const [row] = await sql<Found[]>`${deliveriesOf(sql, sql`d.delivery_id = ${id}`)}`;
  return row?.delivery ?? null;
}

/** Those that said something to a goal. Of one that is not kept any more only its name is left. */
export async function readDeliveriesOf(sql: Executor, goalId: string): Promise<SealedDelivery[]> {
  const isOfGoal = sql`d.pruned_at IS NULL AND (d.goal_id = ${goalId} OR EXISTS (
    SELECT 1 FROM inbox i
    WHERE i.goal_id = ${goalId} AND i.message_id = 'm-' || d.delivery_id || '-' || i.goal_id))`;
  const rows = await sql<Found[]>`${deliveriesOf(sql, isOfGoal)}`;
  return rows.map(({ delivery }) => delivery);
}

/** Seals a delivery that this transaction inserted. */
export async function sealNewDelivery(
  tx: Transaction,
  keys: LedgerKeys,
  deliveryId: string,
): Promise<void> {
  if (keys.sealing === null) return;
  const row = await readDelivery(tx, deliveryId);
  if (row?.sealed === null) await storeSeal(tx, nextSeal(keys, counted(row)));
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
  const before = await readDelivery(tx, deliveryId);
  const result = await change();
  const after = await readDelivery(tx, deliveryId);
  if (before === null || after === null || !isDeliveryIntact(keys, before)) return result;
  if (canonicalJson(before) !== canonicalJson(after))
    await storeSeal(tx, nextSeal(keys, counted(after)));
  return result;
}

/** Takes in what had come before seals covered it; later on, what has none came from no sender. */
export async function adoptDeliveries(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<Found[]>`${deliveriesOf(tx, tx`d.pruned_at IS NULL`)}`;
  for (const { delivery } of rows)
    if (delivery.sealed === null) await storeSeal(tx, nextSeal(keys, counted(delivery)));
}
