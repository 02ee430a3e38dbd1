import type { Role } from '../../../schema/role.ts';
import type {
  ShownDelivery,
  Trigger,
  TriggerDelivery,
  TriggerKind,
} from '../../../schema/trigger.ts';
import { Refusal } from '../../contract/failures.ts';
import type { TriggersPort, TriggerTerms } from '../../contract/triggers.ts';
import type { SealedKeys } from '../../sealed/keys.ts';
import { withTypedErrors } from '../client.ts';
import type { InboundTriggerModel, TriggerDeliveryModel } from '../generated/client/models.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { readTrigger, triggers } from '../ledger/trigger-seal.ts';
import { jsonOf, type Store, timeOf, timeOrNull } from '../store.ts';
import {
  claimDelivery,
  journalDelivery,
  keepTarget,
  settleDelivery,
  tellEvent,
} from './trigger-deliveries.ts';
import { openTriggerSecret, sealTriggerSecret } from './trigger-secrets.ts';

const SHOWN_DELIVERIES = 20;

export interface TriggerKeys {
  /** Encrypt the secrets of senders. */
  readonly secrets: SealedKeys;
  /** Seal the security log, and what comes. */
  readonly ledger: LedgerKeys;
}

export function createTriggers({ sql: db, prisma }: Store, keys: TriggerKeys): TriggersPort {
  const { inboundTrigger, triggerDelivery } = prisma;
  const claims = { keys: keys.ledger, tell: refusedTeller(db, keys.ledger) };
  return withTypedErrors<TriggersPort>({
    async add(terms, secret, entry) {
      const { triggerId, name, kind, owner, ownerRole } = terms;
      const sealed = sealTriggerSecret(keys.secrets, terms, secret);
      await db.begin(async (tx) => {
        const { count } = await tx`
          INSERT INTO inbound_trigger (trigger_id, name, kind, secret, secret_key, filter,
            parameters, action, most_per_hour, owner, owner_role)
          VALUES (${triggerId}, ${name}, ${kind}, ${sealed.secret}, ${sealed.keyId},
            ${tx.json(storable(terms.filter))}, ${tx.json(storable(terms.parameters))},
            ${tx.json(storable(terms.action))}, ${terms.mostPerHour}, ${owner}, ${ownerRole})
          ON CONFLICT DO NOTHING`;
        if (count === 0) {
          const detail = `There is a trigger ${name}: delete it, or choose another name.`;
          throw new Refusal('name_taken', detail, { field: 'name' });
        }
        await triggers.seal(tx, keys.ledger, await readTrigger(tx, triggerId));
        await appendToSecurityLog(tx, keys.ledger, entry);
      });
      return triggerOf(await inboundTrigger.findUniqueOrThrow({ where: { triggerId } }));
    },

    async list() {
      return (await inboundTrigger.findMany({ orderBy: { name: 'asc' } })).map(triggerOf);
    },

    async find(nameOrId) {
      const found = await inboundTrigger.findFirst({
        where: { OR: [{ name: nameOrId }, { triggerId: nameOrId }] },
      });
      if (found === null) return null;
      const deliveries = await triggerDelivery.findMany({
        where: { triggerId: found.triggerId },
        orderBy: { seq: 'desc' },
        take: SHOWN_DELIVERIES,
      });
      return { ...triggerOf(found), deliveries: deliveries.map(shownDelivery) };
    },

    async pause(triggerId, by, entry) {
      await db.begin(async (tx) => {
        await tx`SELECT 1 FROM inbound_trigger WHERE trigger_id = ${triggerId} FOR UPDATE`;
        const { count } = await triggers.changing(
          tx,
          keys.ledger,
          () => readTrigger(tx, triggerId),
          () => tx`
            UPDATE inbound_trigger SET paused_by = ${by},
              paused_at = CASE WHEN ${by}::text IS NULL THEN NULL ELSE now() END
            WHERE trigger_id = ${triggerId}
              AND (paused_at IS NULL) = (${by}::text IS NOT NULL)`,
        );
        if (count > 0) await appendToSecurityLog(tx, keys.ledger, entry);
      });
      const row = await inboundTrigger.findUnique({ where: { triggerId } });
      return row === null ? null : triggerOf(row);
    },

    async remove(triggerId, entry) {
      return await db.begin(async (tx) => {
        const { count } = await tx`DELETE FROM inbound_trigger WHERE trigger_id = ${triggerId}`;
        await triggers.sealGone(tx, keys.ledger, [triggerId]);
        if (count === 0) return false;
        await tx`DELETE FROM trigger_delivery WHERE trigger_id = ${triggerId}`;
        await appendToSecurityLog(tx, keys.ledger, entry);
        return true;
      });
    },

    async armed(triggerId) {
      const found = await inboundTrigger.findUnique({ where: { triggerId } });
      if (found === null) return null;
      const terms = termsOf(found);
      const stored = { keyId: found.secretKey, secret: Buffer.from(found.secret) };
      const [row] = await readTrigger(db, triggerId);
      const isIntact = row !== undefined && triggers.isIntact(keys.ledger, row);
      if (!isIntact) await claims.tell(`trigger ${triggerId}`, { altered: ['trigger'] });
      return {
        ...terms,
        secret: isIntact ? openTriggerSecret(keys.secrets, terms, stored) : null,
        isPaused: found.pausedAt !== null,
      };
    },

    async noteRefused(triggerId, why) {
      await db`
        UPDATE inbound_trigger SET refused = refused + 1, last_refused_at = now(),
          last_refused = ${why.slice(0, 300)}
        WHERE trigger_id = ${triggerId}`;
    },

    async journal(triggerId, delivery) {
      const stored = await journalDelivery(db, keys.ledger, triggerId, delivery);
      if (stored === null) return null;
      const { deliveryId, isNew } = stored;
      const row = await triggerDelivery.findUnique({ where: { deliveryId } });
      return row === null ? null : { delivery: deliveryOf(row), isNew };
    },

    async delivery(deliveryId) {
      const row = await triggerDelivery.findUnique({ where: { deliveryId } });
      return row === null ? null : deliveryOf(row);
    },

    claim: (deliveryId) => claimDelivery(db, claims, deliveryId),

    target: (deliveryId, goalId) => keepTarget(db, keys.ledger, deliveryId, goalId),
    settle: (deliveryId, end) => settleDelivery(db, keys.ledger, deliveryId, end),
    tellEvent: (claimed, sight) => tellEvent(db, keys.ledger, claimed, sight),
  });
}

const termsOf = (row: InboundTriggerModel): TriggerTerms => ({
  triggerId: row.triggerId,
  name: row.name,
  kind: row.kind as TriggerKind,
  filter: jsonOf<TriggerTerms['filter']>(row.filter),
  parameters: jsonOf<TriggerTerms['parameters']>(row.parameters),
  action: jsonOf<TriggerTerms['action']>(row.action),
  mostPerHour: row.mostPerHour,
  owner: row.owner,
  ownerRole: row.ownerRole as Role,
});

function triggerOf(row: InboundTriggerModel): Trigger {
  const { ownerRole: _, ...terms } = termsOf(row);
  return {
    ...terms,
    path: `/v1/hooks/${row.triggerId}`,
    createdAt: timeOf(row.createdAt),
    ...(row.pausedAt === null
      ? {}
      : { paused: { at: timeOf(row.pausedAt), by: row.pausedBy ?? '' } }),
    refused: {
      count: row.refused,
      lastAt: timeOrNull(row.lastRefusedAt),
      lastWhy: row.lastRefused,
    },
  };
}

const deliveryOf = (row: TriggerDeliveryModel): TriggerDelivery => ({
  deliveryId: row.deliveryId,
  externalId: row.externalId,
  event: row.event,
  state: row.state as TriggerDelivery['state'],
  outcome: jsonOf<TriggerDelivery['outcome']>(row.outcome),
  attempts: row.attempts,
  receivedAt: timeOf(row.receivedAt),
  settledAt: timeOrNull(row.settledAt),
});

const shownDelivery = (row: TriggerDeliveryModel): ShownDelivery => ({
  ...deliveryOf(row),
  repeats: row.repeats,
  ...(row.prunedAt === null ? {} : { prunedAt: timeOf(row.prunedAt) }),
});
