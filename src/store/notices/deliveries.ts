import type { Delivery, Notification, NotifyEvent } from '../../../schema/notify.ts';
import type {
  AddressedTarget,
  AttemptEnd,
  ClaimedDelivery,
  DeliveryStore,
  NotificationsPort,
} from '../../contract/notices.ts';
import { originOf, shownUrl } from '../../net/shown-url.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { appendEvents } from '../events.ts';
import type { DeliveryModel } from '../generated/client/models.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { type PrismaClient, timeOf, timeOrNull } from '../store.ts';

/** Rows pruned per statement, so that no lock is held for long. */
const PRUNED_AT_ONCE = 1000;

export function createDeliveryStore(
  db: Database,
  keys: LedgerKeys,
  options: { readonly onAppended?: (goalId: string) => void } = {},
): DeliveryStore {
  const tell = refusedTeller(db, keys);
  return withTypedErrors<DeliveryStore>({
    address: (targets) => db.begin((tx) => address(tx, targets)),

    async claim(limit, leaseSeconds) {
      const claimed = await db<(ClaimedDelivery & SealedNotification)[]>`
        WITH due AS (
          SELECT notification_id, url FROM delivery
          WHERE state = 'pending' AND next_at <= now()
          ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        UPDATE delivery d SET attempts = d.attempts + 1,
          next_at = now() + make_interval(secs => ${leaseSeconds})
        FROM due, notification n, goal g
        WHERE d.notification_id = due.notification_id AND d.url = due.url
          AND n.notification_id = d.notification_id AND g.goal_id = d.goal_id
        RETURNING d.notification_id AS "notificationId", d.goal_id AS "goalId", d.url, d.origin,
          d.attempts, n.body, g.notify AS targets, n.notification_id, n.goal_id, n.type, n.seal`;
      const isOurs = (one: SealedNotification) => isWritten(keys, 'notification', one);
      for (const { goalId, notificationId } of claimed.filter((one) => !isOurs(one))) {
        await tell(goalId, { altered: ['notification'], notificationId });
        await db`
          UPDATE delivery SET state = 'given_up', last_error = ${FOREIGN}
          WHERE notification_id = ${notificationId}`;
      }
      return claimed.filter(isOurs);
    },

    async settle(delivery, end) {
      if (await db.begin((tx) => settle(tx, delivery, end))) options.onAppended?.(delivery.goalId);
    },

    async prune(days) {
      const pruned = await db`
        WITH old AS (
          SELECT notification_id FROM notification n
          WHERE is_addressed AND created_at < now() - make_interval(days => ${days})
            AND NOT EXISTS (SELECT 1 FROM delivery d
              WHERE d.notification_id = n.notification_id AND d.state = 'pending')
          LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED
        ), deliveries AS (
          DELETE FROM delivery WHERE notification_id IN (SELECT notification_id FROM old)
        )
        DELETE FROM notification WHERE notification_id IN (SELECT notification_id FROM old)`;
      return pruned.count;
    },
  });
}

type SealedNotification = Row<
  'notification',
  'notification_id' | 'goal_id' | 'type' | 'body' | 'seal'
>;

const FOREIGN = 'The service did not write this: look at the security log.';

type NewNotification = Row<'notification', 'notification_id' | 'goal_id' | 'type'> &
  Row<'goal', 'notify'>;

async function address(tx: Transaction, service: readonly AddressedTarget[]): Promise<void> {
  const fresh = await tx<NewNotification[]>`
    SELECT n.notification_id, n.goal_id, n.type, g.notify
    FROM notification n JOIN goal g USING (goal_id)
    WHERE NOT n.is_addressed ORDER BY n.created_at LIMIT 100 FOR UPDATE OF n SKIP LOCKED`;
  if (fresh.length === 0) return;
  const rows = fresh.flatMap((one) => [
    ...rowsFor(one, one.notify, 'goal'),
    ...rowsFor(one, service, 'service'),
  ]);
  if (rows.length > 0) {
    await tx`INSERT INTO delivery ${tx(rows)} ON CONFLICT (notification_id, url) DO NOTHING`;
  }
  const ids = fresh.map((one) => one.notification_id);
  await tx`UPDATE notification SET is_addressed = true WHERE notification_id IN ${tx(ids)}`;
}

function rowsFor(
  { notification_id, goal_id, type }: NewNotification,
  targets: readonly AddressedTarget[],
  origin: Delivery['origin'],
) {
  const event = type.replace('goal.', '') as NotifyEvent;
  return targets
    .filter(({ events }) => events === undefined || events.includes(event))
    .map(({ url }) => ({ notification_id, url, goal_id, origin, state: 'pending' }));
}

/** Settles only the attempt that holds the lease. @returns true when the delivery was given up */
async function settle(
  tx: Transaction,
  { notificationId, url, goalId, attempts }: ClaimedDelivery,
  end: AttemptEnd,
): Promise<boolean> {
  if (end.state === 'delivered') {
    await tx`
      UPDATE delivery SET state = 'delivered', delivered_at = now(), last_status = ${end.status},
        last_error = NULL
      WHERE notification_id = ${notificationId} AND url = ${url} AND state = 'pending'`;
    return false;
  }
  const { status, error, retryAt } = end;
  const settled = await tx`
    UPDATE delivery SET last_status = ${status}, last_error = ${error},
      state = ${retryAt === null ? 'given_up' : 'pending'},
      next_at = coalesce(${retryAt}::timestamptz, next_at)
    WHERE notification_id = ${notificationId} AND url = ${url} AND state = 'pending'
      AND attempts = ${attempts}`;
  if (settled.count === 0 || retryAt !== null) return false;
  // Events are for every role.
  const data = { notificationId, url: originOf(url), attempts, error };
  await appendEvents(tx, goalId, [{ type: 'notification.given_up', data }]);
  return true;
}

type NotificationRow = Omit<Notification, 'deliveries'>;

export function createNotifications(prisma: PrismaClient): NotificationsPort {
  return withTypedErrors<NotificationsPort>({
    async list(goalId, { cursor, limit }) {
      const found = await prisma.notification.findMany({
        where: { goalId, ...olderThan(decodeCursor(cursor, ['instant', 'text'])) },
        select: { notificationId: true, goalId: true, type: true, createdAt: true },
        orderBy: [{ createdAt: 'desc' }, { notificationId: 'desc' }],
        take: limit + 1,
      });
      const rows = found.map(
        (row): NotificationRow => ({
          ...row,
          type: row.type as Notification['type'],
          createdAt: timeOf(row.createdAt),
        }),
      );
      const deliveries = await readDeliveries(prisma, rows);
      return pageOf(
        rows,
        limit,
        (row) => ({ ...row, deliveries: deliveries.get(row.notificationId) ?? [] }),
        (row) => [row.createdAt, row.notificationId],
      );
    },

    async resend(goalId, notificationId) {
      const known = await prisma.notification.count({ where: { notificationId, goalId } });
      if (known === 0) return false;
      await prisma.delivery.updateMany({
        where: { notificationId },
        data: { state: 'pending', attempts: 0, nextAt: new Date(), deliveredAt: null },
      });
      return true;
    },
  });
}

function olderThan(position: readonly [string, string] | null) {
  if (position === null) return {};
  const [createdAt, notificationId] = position;
  return {
    OR: [{ createdAt: { lt: createdAt } }, { createdAt, notificationId: { lt: notificationId } }],
  };
}

async function readDeliveries(
  prisma: PrismaClient,
  notifications: readonly NotificationRow[],
): Promise<Map<string, Delivery[]>> {
  const found = new Map<string, Delivery[]>();
  if (notifications.length === 0) return found;
  const rows = await prisma.delivery.findMany({
    where: { notificationId: { in: notifications.map(({ notificationId }) => notificationId) } },
    orderBy: [{ origin: 'asc' }, { url: 'asc' }],
  });
  for (const row of rows) {
    const known = found.get(row.notificationId) ?? [];
    found.set(row.notificationId, [...known, toDelivery(row)]);
  }
  return found;
}

const toDelivery = (row: DeliveryModel): Delivery => ({
  url: shownUrl(row.url),
  origin: row.origin as Delivery['origin'],
  state: row.state as Delivery['state'],
  attempts: row.attempts,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  deliveredAt: timeOrNull(row.deliveredAt),
  nextAt: row.state === 'pending' ? timeOf(row.nextAt) : null,
});
