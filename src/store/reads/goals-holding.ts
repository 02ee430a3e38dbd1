import type { HoldingFilter, Page } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { escaped } from './goal-list.ts';
import { inSight } from './in-sight.ts';

/** A request gets an answer within about `patienceMs`, and a cursor to look on from. */
const USUAL = { patienceMs: 1000, fewest: 4 };
const QUICK_MS = 100;
const MOST = 64;

interface LookedAt {
  readonly goal_id: string;
  readonly at: string;
  readonly holds: boolean;
}

type Position = readonly [at: string, goalId: string];

/**
 * Ids of goals whose turns, messages or ledger hold the words, last changed first. No index helps, so
 * goals are looked at a few at a time, more where they are small, until enough are found or the time
 * is over.
 */
export async function goalsHolding(
  db: Database,
  filter: HoldingFilter,
  { patienceMs, fewest } = USUAL,
): Promise<Page<string>> {
  const began = performance.now();
  const found: string[] = [];
  let position = decodeCursor(filter.cursor, 2) as Position | null;
  let size = fewest;
  do {
    const since = performance.now();
    const rows = await lookAt(db, filter, position, size);
    for (const { goal_id, at, holds } of rows) {
      position = [at, goal_id];
      if (holds) found.push(goal_id);
      if (found.length === filter.limit)
        return { items: found, nextCursor: encodeCursor(position) };
    }
    if (rows.length < size) return { items: found, nextCursor: null };
    size = performance.now() - since < QUICK_MS ? Math.min(MOST, 2 * size) : fewest;
  } while (performance.now() - began < patienceMs);
  return { items: found, nextCursor: position === null ? null : encodeCursor(position) };
}

/** What tools answered counts as far as the model saw it; whole outputs are searched goal by goal. */
const lookAt = (
  db: Database,
  { sight, q }: HoldingFilter,
  position: Position | null,
  size: number,
) => {
  const words = `%${escaped(q)}%`;
  return db<LookedAt[]>`
    WITH page AS (
      SELECT g.goal_id, g.updated_at FROM goal g
      WHERE g.archived_at IS NULL AND ${inSight(db, sight)} ${behind(db, position)}
      ORDER BY g.updated_at DESC, g.goal_id LIMIT ${size}
    )
    SELECT p.goal_id, p.updated_at::text AS at, (
      EXISTS (SELECT FROM decision d WHERE d.goal_id = p.goal_id AND d.sentence ILIKE ${words})
      OR EXISTS (SELECT FROM message m WHERE m.goal_id = p.goal_id
        AND m.content->'isQuiet' IS NULL AND m.content->>'text' ILIKE ${words})
      OR EXISTS (SELECT FROM ledger l WHERE l.goal_id = p.goal_id
        AND position(lower(${q}) in lower(l.body::text)) > 0)
    ) AS holds
    FROM page p ORDER BY p.updated_at DESC, p.goal_id`;
};

function behind(db: Database, position: Position | null) {
  if (position === null) return db``;
  const [at, goalId] = position;
  return db`AND (g.updated_at < ${at}::text::timestamptz
    OR (g.updated_at = ${at}::text::timestamptz AND g.goal_id > ${goalId}))`;
}
