import type { Database } from '../client.ts';

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
export async function pruneDeliveries(db: Database, days: number): Promise<number> {
  let pruned = 0;
  let place: Place | null = null;
  for (;;) {
    const page: readonly Place[] = await settledBefore(db, days, place);
    const last = page.at(-1);
    if (last === undefined) return pruned;
    pruned += await empty(
      db,
      page.map(({ id }) => id),
    );
    place = last;
  }
}

const settledBefore = (db: Database, days: number, place: Place | null) => db<Place[]>`
  SELECT settled_at AS at, delivery_id AS id FROM trigger_delivery
  WHERE pruned_at IS NULL AND settled_at < now() - make_interval(days => ${days})
    AND ${place === null ? db`true` : db`(settled_at, delivery_id) > (${place.at}, ${place.id})`}
  ORDER BY settled_at, delivery_id LIMIT ${AT_ONCE}`;

async function empty(db: Database, ids: readonly string[]): Promise<number> {
  const { count } = await db`
    UPDATE trigger_delivery d SET act = NULL, sight = NULL, goal_id = NULL, event = NULL,
      outcome = ${db.json({ text: FORGOTTEN })}, pruned_at = now()
    WHERE d.delivery_id IN ${db([...ids])} AND d.pruned_at IS NULL AND d.state <> 'pending'
      AND NOT (coalesce(d.act->>'kind', '') = 'event' AND (
        EXISTS (
          SELECT 1 FROM election e JOIN goal g ON g.goal_id = e.goal_id
          WHERE e.state = 'waiting' AND e.spec->>'event' = d.act->>'name'
            AND g.status <> 'complete' AND g.archived_at IS NULL)
        OR EXISTS (
          SELECT 1 FROM turn t JOIN goal g ON g.goal_id = t.goal_id
          WHERE t.state = 'open' AND t.started_at <= d.settled_at
            AND g.status <> 'complete' AND g.archived_at IS NULL)))`;
  return count;
}
