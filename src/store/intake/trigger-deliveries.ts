import { Refusal } from '../../contract/failures.ts';
import type {
  ClaimedTriggerDelivery,
  NewDelivery,
  SettledDelivery,
  TriggersPort,
} from '../../contract/triggers.ts';
import type { Database, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import {
  changingDelivery,
  deliveries,
  isDeliveryIntact,
  readDelivery,
  sealNewDelivery,
} from '../ledger/delivery-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { TellRefused } from '../ledger/tell-refused.ts';
import { readTrigger, triggers } from '../ledger/trigger-seal.ts';
import { hearsOf } from '../waits/events.ts';

/** Longer than most acts take. Two that act at once do it once: each act has a key of its own. */
const LEASE_SECONDS = 20;

/**
 * The trigger's row is locked, so that two repeats of one delivery, which may come at once, are one.
 * Null: the trigger is gone.
 */
export async function journalDelivery(
  db: Database,
  keys: LedgerKeys,
  triggerId: string,
  delivery: NewDelivery,
): Promise<{ readonly deliveryId: string; readonly isNew: boolean } | null> {
  const { deliveryId, externalId, bodySha256, isKnownByBody, event } = delivery;
  return db.begin(async (tx) => {
    const [trigger] = await tx<{ most: number }[]>`
      SELECT most_per_hour AS most FROM inbound_trigger WHERE trigger_id = ${triggerId} FOR UPDATE`;
    if (trigger === undefined) return null;
    const [known] = await tx<{ delivery_id: string }[]>`
      UPDATE trigger_delivery SET repeats = repeats + 1 WHERE delivery_id = (
      SELECT delivery_id FROM trigger_delivery
      WHERE trigger_id = ${triggerId} AND (external_id = ${externalId}
        OR (${isKnownByBody} AND body_sha256 = ${bodySha256}))
      ORDER BY seq LIMIT 1) RETURNING delivery_id`;
    if (known !== undefined) return { deliveryId: known.delivery_id, isNew: false };
    const isGone = await wasThere(tx, deliveryId);
    const { state, act, outcome } = isGone ? { act: null, ...GONE } : delivery;
    if (state === 'pending') await assertRoom(tx, triggerId, trigger.most);
    await tx`
      INSERT INTO trigger_delivery (delivery_id, trigger_id, external_id, body_sha256, event, state,
        act, outcome, settled_at)
      VALUES (${deliveryId}, ${triggerId}, ${externalId}, ${bodySha256}, ${event}, ${state},
        ${act === null ? null : tx.json(storable(act))}, ${tx.json(storable(outcome))},
        CASE WHEN ${state !== 'pending'} THEN now() END)`;
    await sealNewDelivery(tx, keys, deliveryId);
    return { deliveryId, isNew: true };
  });
}

/** Seals are only added: one of a delivery that is not there says that somebody took it away. */
async function wasThere(tx: Transaction, deliveryId: string): Promise<boolean> {
  const seals = await tx`
    SELECT 1 FROM row_seal WHERE kind = ${deliveries.kind} AND subject = ${deliveryId} LIMIT 1`;
  return seals.count > 0;
}

const GONE = {
  state: 'refused',
  outcome: {
    place: 'record',
    text: 'It came before, and somebody took it out of the database. Nothing was done.',
  },
} as const;

/** A sender that runs wild, or whose secret is known, starts no goals without end. */
async function assertRoom(tx: Transaction, triggerId: string, most: number): Promise<void> {
  const [{ acted }] = await tx<[{ acted: number }]>`
    SELECT count(*)::int AS acted FROM trigger_delivery
    WHERE trigger_id = ${triggerId} AND act IS NOT NULL
      AND received_at > now() - interval '1 hour'`;
  if (acted < most) return;
  throw new Refusal('rate_limited', `The trigger takes ${most} deliveries in an hour.`, {
    retryAfterSeconds: 600,
  });
}

export interface Claims {
  readonly keys: LedgerKeys;
  readonly tell: TellRefused;
}

/** Said of one that isn't what was sealed: it is refused for good, and the security log tells. */
const ALTERED: SettledDelivery = {
  state: 'refused',
  outcome: {
    place: 'record',
    text: 'What is stored of it is not what was sealed: somebody changed the database. Nothing was done.',
  },
};

/** One that nobody acts on now: the named one, or the first that is due. */
export async function claimDelivery(
  db: Database,
  { keys, tell }: Claims,
  deliveryId: string | null,
): Promise<ClaimedTriggerDelivery | null> {
  for (;;) {
    const claimed = await claimNext(db, deliveryId);
    if (claimed === null) return null;
    const row = await readDelivery(db, claimed.deliveryId);
    const [trigger] = row === null ? [] : await readTrigger(db, row.trigger_id);
    const isOurs = trigger !== undefined && triggers.isIntact(keys, trigger);
    if (row !== null && isOurs && isDeliveryIntact(keys, row)) {
      const { act, owner, owner_role: ownerRole, goal_id: goalId } = row;
      return { ...claimed, ...({ act, owner, ownerRole, goalId } as ClaimedTriggerDelivery) };
    }
    await tell(claimed.deliveryId, { altered: ['delivery'] });
    await settleDelivery(db, keys, claimed.deliveryId, ALTERED);
    if (deliveryId !== null) return null;
  }
}

async function claimNext(
  db: Database,
  deliveryId: string | null,
): Promise<ClaimedTriggerDelivery | null> {
  const [claimed] = await db<ClaimedTriggerDelivery[]>`
    WITH due AS (
      SELECT d.delivery_id
      FROM trigger_delivery d JOIN inbound_trigger o ON o.trigger_id = d.trigger_id
      WHERE o.paused_at IS NULL AND d.state = 'pending' AND d.act IS NOT NULL
        AND (d.claimed_until IS NULL OR d.claimed_until < now())
        AND ${
          deliveryId === null
            ? db`(d.next_at IS NULL OR d.next_at <= now())`
            : db`d.delivery_id = ${deliveryId}`
        }
      ORDER BY d.seq LIMIT 1 FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE trigger_delivery d SET attempts = d.attempts + 1,
      claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM due, inbound_trigger t
    WHERE d.delivery_id = due.delivery_id AND t.trigger_id = d.trigger_id
    RETURNING d.delivery_id AS "deliveryId", t.name AS "triggerName", t.owner,
      t.owner_role AS "ownerRole", d.act, d.goal_id AS "goalId", d.attempts,
      d.received_at AS "receivedAt"`;
  return claimed ?? null;
}

/** The first end counts: a second process may have acted on it as well, with the same result. */
export async function settleDelivery(
  db: Database,
  keys: LedgerKeys,
  deliveryId: string,
  end: SettledDelivery,
): Promise<void> {
  const { state, outcome } = end;
  const seconds = end.state === 'pending' ? end.retryInSeconds : null;
  await db.begin((tx) =>
    changingDelivery(
      tx,
      keys,
      deliveryId,
      () => tx`
        UPDATE trigger_delivery SET state = ${state}, outcome = ${tx.json(storable(outcome))},
          claimed_until = NULL, next_at = now() + make_interval(secs => ${seconds}::float8),
          settled_at = CASE WHEN ${state !== 'pending'} THEN now() END
        WHERE delivery_id = ${deliveryId} AND state = 'pending'`,
    ),
  );
}

/** @returns the first goal that was kept */
export async function keepTarget(
  db: Database,
  keys: LedgerKeys,
  deliveryId: string,
  goalId: string,
): Promise<string> {
  const [kept] = await db.begin((tx) =>
    changingDelivery(
      tx,
      keys,
      deliveryId,
      () => tx<{ goal_id: string }[]>`
        UPDATE trigger_delivery SET goal_id = coalesce(goal_id, ${goalId})
        WHERE delivery_id = ${deliveryId} RETURNING goal_id`,
    ),
  );
  return kept?.goal_id ?? goalId;
}

export async function tellEvent(
  db: Database,
  keys: LedgerKeys,
  claimed: Parameters<TriggersPort['tellEvent']>[0],
  sight: Parameters<TriggersPort['tellEvent']>[1],
): ReturnType<TriggersPort['tellEvent']> {
  const { deliveryId, act } = claimed;
  return db.begin(async (tx) => {
    await changingDelivery(
      tx,
      keys,
      deliveryId,
      () => tx`
        UPDATE trigger_delivery SET state = 'done', sight = ${tx.json(storable(sight))},
          claimed_until = NULL, settled_at = now()
        WHERE delivery_id = ${deliveryId} AND state = 'pending'`,
    );
    const waiting = await tx<{ goalId: string; epoch: number }[]>`
      SELECT g.goal_id AS "goalId", g.epoch
      FROM election e JOIN goal g ON g.goal_id = e.goal_id
        JOIN trigger_delivery d ON d.delivery_id = ${deliveryId}
      WHERE e.state = 'waiting' AND e.spec->>'event' = ${act.name} AND ${hearsOf(tx)}
      ORDER BY g.goal_id LIMIT 200`;
    const text =
      waiting.length === 0
        ? `no goal waits for ${act.name} now; one whose turn runs hears of it`
        : `told ${waiting.length === 1 ? 'the goal that waits' : 'goals that wait'} for ${act.name}`;
    const outcome = { text, waiting: waiting.map(({ goalId }) => goalId) };
    await tx`
      UPDATE trigger_delivery SET outcome = ${tx.json(storable(outcome))}
      WHERE delivery_id = ${deliveryId}`;
    return [...waiting];
  });
}
