import type { Database } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overOf } from '../ledger/over-goals.ts';

const AT_ONCE = 500;

/** What is shown of one that is not kept. */
export const FORGOTTEN = 'what it was is not kept any more';

/** Where the batch before ended. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/**
 * Empties deliveries that were settled so many days ago. What a repeat is known by stays for good:
 * senders sign no time, or sign it anew, so a repeat may come after any number of days. One that
 * somebody may still hear of stays whole: its event is waited for, or a turn from before it is open.
 * Each batch is a transaction of its own, so one that dies leaves the rest to the next look.
 * @returns how many there were
 */
export async function pruneDeliveries(
  db: Database,
  keys: LedgerKeys,
  days: number,
): Promise<number> {
  let pruned = 0;
  let place: Place | null = null;
  for (;;) {
    const page: readonly Place[] = await settledBefore(db, days, place);
    const last = page.at(-1);
    if (last === undefined) return pruned;
    const ids = page.map(({ id }) => id);
    pruned += await empty(db, ids, await calledOver(db, keys));
    place = last;
  }
}

const settledBefore = (db: Database, days: number, place: Place | null) => db<Place[]>`
  SELECT settled_at AS at, delivery_id AS id FROM trigger_delivery
  WHERE pruned_at IS NULL AND settled_at < now() - make_interval(days => ${days})
    AND ${place === null ? db`true` : db`(settled_at, delivery_id) > (${place.at}, ${place.id})`}
  ORDER BY settled_at, delivery_id LIMIT ${AT_ONCE}`;

/** Goals that listen, and that their rows alone call over. */
async function calledOver(db: Database, keys: LedgerKeys): Promise<string[]> {
  const rows = await db<{ goalId: string }[]>`
    SELECT goal_id AS "goalId" FROM goal g
    WHERE (g.status = 'complete' OR g.archived_at IS NOT NULL) AND (
      EXISTS (SELECT 1 FROM election e WHERE e.goal_id = g.goal_id AND e.state = 'waiting')
      OR EXISTS (SELECT 1 FROM turn t WHERE t.goal_id = g.goal_id AND t.state = 'open'))`;
  const called = rows.map(({ goalId }) => goalId);
  const over = new Set((await overOf(db, keys, called)).map(({ goalId }) => goalId));
  return called.filter((goalId) => !over.has(goalId));
}

async function empty(
  db: Database,
  ids: readonly string[],
  calledOver: readonly string[],
): Promise<number> {
  const isOn = db`(g.status <> 'complete' AND g.archived_at IS NULL
    OR g.goal_id IN (SELECT jsonb_array_elements_text(${db.json([...calledOver])})))`;
  const { count } = await db`
    UPDATE trigger_delivery d SET act = NULL, sight = NULL, goal_id = NULL, event = NULL,
      outcome = ${db.json({ text: FORGOTTEN })}, pruned_at = now()
    WHERE d.delivery_id IN ${db([...ids])} AND d.pruned_at IS NULL AND d.state <> 'pending'
      AND NOT (coalesce(d.act->>'kind', '') = 'event' AND (
        EXISTS (
          SELECT 1 FROM election e JOIN goal g ON g.goal_id = e.goal_id
          WHERE e.state = 'waiting' AND e.spec->>'event' = d.act->>'name'
            AND ${isOn})
        OR EXISTS (
          SELECT 1 FROM turn t JOIN goal g ON g.goal_id = t.goal_id
          WHERE t.state = 'open' AND t.started_at <= d.settled_at
            AND ${isOn})))`;
  return count;
}
