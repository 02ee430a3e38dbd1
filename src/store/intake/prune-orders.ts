import type { Database } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';
import { ORDERS_KEPT_DAYS } from '../ledger/seal-verify.ts';

/** The seal of an order says for as long that its row has to be there; clocks may differ a little. */
const KEPT_DAYS = ORDERS_KEPT_DAYS + 1;
const AT_ONCE = 1000;

/**
 * Deletes orders that nothing needs any more: their goal took them, or never will, and the time is
 * over for which they are kept. A taken order is known by its commit, and one without a row is
 * refused, so none is carried out again.
 * @returns how many there were; at most so many that nothing waits for it
 */
export async function pruneOrders(db: Database, keys: LedgerKeys): Promise<number> {
  const cleared = await clearedWithOrders(db, keys);
  const orders = await db`
    DELETE FROM goal_order WHERE (goal_id, commit_id) IN (
      SELECT o.goal_id, o.commit_id FROM goal_order o
      LEFT JOIN commit c USING (goal_id, commit_id)
      LEFT JOIN request r ON r.commit_id = o.commit_id
      WHERE o.ordered_at < now() - make_interval(days => ${KEPT_DAYS})
        AND (c.at < now() - make_interval(days => ${KEPT_DAYS})
          OR (c.at IS NULL AND (r.commit_id IS NULL
            OR o.goal_id IN (SELECT jsonb_array_elements_text(${db.json(cleared)})))))
        AND NOT EXISTS (
          SELECT 1 FROM seal s
          WHERE s.goal_id = o.goal_id AND s.kind = 'order' AND s.subject = o.commit_id
            AND s.at > now() - make_interval(days => ${KEPT_DAYS}))
      LIMIT ${AT_ONCE})`;
  const checks = await db`
    DELETE FROM check_order WHERE check_id IN (
      SELECT check_id FROM check_order
      WHERE ordered_at < now() - make_interval(days => ${KEPT_DAYS}) LIMIT ${AT_ONCE})`;
  return orders.count + checks.count;
}

/** Goals that take no order any more, and still have old ones. */
async function clearedWithOrders(db: Database, keys: LedgerKeys): Promise<string[]> {
  const rows = await db<{ goalId: string }[]>`
    SELECT DISTINCT g.goal_id AS "goalId" FROM goal_order o JOIN goal g ON g.goal_id = o.goal_id
    WHERE o.ordered_at < now() - make_interval(days => ${KEPT_DAYS}) AND g.archived_at IS NOT NULL`;
  const over = await overOf(
    db,
    keys,
    rows.map(({ goalId }) => goalId),
  );
  return over.flatMap(({ goalId, isCleared }) => (isCleared ? [goalId] : []));
}
