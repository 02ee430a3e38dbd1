import type { Executor, Transaction } from '../client.ts';
import { isDeliveryIntact, type SealedDelivery, sealedDelivery } from '../ledger/delivery-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { originOf } from '../reads/in-sight.ts';
import { sendToInbox } from '../send-to-inbox.ts';

/** One wait hears of so many deliveries; the others are for the next one. */
const MOST_AT_ONCE = 20;

/** Goal `g` with its wait `e` hears of delivery `d`: its owner sees the goal, and the values match. */
export const hearsOf = (sql: Executor) => sql`
  coalesce(d.sight->>'startedBy', g.created_by) = g.created_by
  AND (d.sight->'workspaces' IS NULL OR jsonb_typeof(d.sight->'workspaces') = 'null'
    OR d.sight->'workspaces' ? ${originOf(sql)})
  AND NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements(
      CASE jsonb_typeof(e.spec->'match') WHEN 'array' THEN e.spec->'match' ELSE '[]' END) m
    WHERE d.act->'values'->>(m->>'name') IS DISTINCT FROM m->>'value')`;

export interface HeardEvent {
  readonly deliveryId: string;
  readonly text: string;
}

export interface Heard {
  readonly events: readonly HeardEvent[];
  /** Deliveries that are not what was sealed: nobody hears of them. */
  readonly altered: readonly string[];
}

/**
 * Deliveries that meet the goal's present wait, oldest first: those since its turn began, or since
 * the wait began that woke that turn. None counts twice for a goal.
 */
export async function readHeardEvents(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
): Promise<Heard> {
  const rows = await sql<(HeardEvent & { readonly delivery: SealedDelivery })[]>`
    SELECT d.delivery_id AS "deliveryId", d.act->>'text' AS text, ${sealedDelivery(sql)} AS delivery
    FROM election e JOIN goal g ON g.goal_id = e.goal_id
      LEFT JOIN turn t ON t.goal_id = e.goal_id AND t.turn = e.turn
      LEFT JOIN election before ON before.goal_id = e.goal_id AND before.turn = e.turn - 1
      JOIN trigger_delivery d ON d.state = 'done' AND d.act->>'kind' = 'event'
        AND d.act->>'name' = e.spec->>'event'
        AND d.settled_at >= least(t.started_at, before.created_at, e.created_at)
    WHERE e.goal_id = ${goalId} AND e.state = 'waiting' AND ${hearsOf(sql)}
      AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.message_id = ${heardId(sql)})
    ORDER BY d.seq`;
  const isOurs = ({ delivery }: (typeof rows)[number]) => isDeliveryIntact(keys, delivery);
  return {
    events: rows.filter(isOurs).slice(0, MOST_AT_ONCE),
    altered: rows.filter((row) => !isOurs(row)).map(({ deliveryId }) => deliveryId),
  };
}

/** The goal's message of a delivery, by which it is told once. */
const heardId = (sql: Executor) => sql`'m-' || d.delivery_id || '-' || e.goal_id`;

/** Tells the goal, in a program's voice, what came; in the transaction that ends its wait. */
export async function takeHeardEvents(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
): Promise<number> {
  const { events } = await readHeardEvents(tx, keys, goalId);
  for (const { deliveryId, text } of events) {
    await sendToInbox(tx, keys, {
      ...{ messageId: `m-${deliveryId}-${goalId}`, goalId, kind: 'message', voice: 'agent' },
      ...{ text, delivery: 'pause' },
    });
  }
  return events.length;
}

/** Does any trigger bring this event? A wait for another one can only end by its time. */
export async function isBrought(sql: Executor, name: string): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM inbound_trigger WHERE action->>'kind' = 'event' AND action->>'name' = ${name}`;
  return found.count > 0;
}
