import type { HoldingFilter, HoldingGoal, Page } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { inSight } from './in-sight.ts';
import { inJson, likeWords } from './words.ts';

/** A request gets an answer within about `patienceMs`, and a cursor to look on from. */
const USUAL = { patienceMs: 1000, fewest: 4 };
const MOST = 64;

interface LookedAt {
  readonly goal_id: string;
  readonly at: string;
  readonly holds: boolean;
  /** Goals from there on, one more at most than were to be looked at. */
  readonly left: number;
}

type Position = readonly [at: string, goalId: string];

/**
 * Goals whose turns, messages or ledger hold the words, last changed first. No index helps, so goals
 * are looked at a few at a time, then more, until enough are found or the time is over.
 */
export async function goalsHolding(
  db: Database,
  filter: HoldingFilter,
  { patienceMs, fewest } = USUAL,
): Promise<Page<HoldingGoal>> {
  const until = performance.now() + patienceMs;
  const found: HoldingGoal[] = [];
  let position: Position | null = decodeCursor(filter.cursor, ['time', 'text']);
  for (let size = fewest; ; size = Math.min(MOST, 2 * size)) {
    const leftMs = Math.max(0, until - performance.now());
    const rows = await lookAt(db, filter, { position, size, leftMs });
    for (const { goal_id: goalId, at, holds } of rows) {
      if (holds && found.length === filter.limit) return pageBefore(found);
      position = [at, goalId];
      if (holds) found.push({ goalId, cursor: encodeCursor(position) });
    }
    if (position === null || rows.length === (rows[0]?.left ?? 0))
      return { items: found, nextCursor: null };
    if (found.length === filter.limit || performance.now() >= until)
      return { items: found, nextCursor: encodeCursor(position) };
  }
}

/** Another goal was found behind the last one that fits. */
const pageBefore = (found: readonly HoldingGoal[]): Page<HoldingGoal> => ({
  items: found,
  nextCursor: found.at(-1)?.cursor ?? null,
});

interface Look {
  readonly position: Position | null;
  readonly size: number;
  readonly leftMs: number;
}

/**
 * One goal at least, and others as long as there is time. What tools answered counts as far as the
 * model saw it; whole outputs are searched goal by goal.
 */
const lookAt = (db: Database, { sight, q }: HoldingFilter, { position, size, leftMs }: Look) => db<
  LookedAt[]
>`
  WITH page AS MATERIALIZED (
    SELECT g.goal_id, g.updated_at, row_number() OVER (ORDER BY g.updated_at DESC, g.goal_id) AS place
    FROM goal g
    WHERE g.archived_at IS NULL AND ${inSight(db, sight)} ${behind(db, position)}
    ORDER BY g.updated_at DESC, g.goal_id LIMIT ${size + 1}
  )
  SELECT p.goal_id, p.updated_at::text AS at, (SELECT count(*)::int FROM page) AS left, (
    EXISTS (SELECT FROM decision d WHERE d.goal_id = p.goal_id AND d.sentence ILIKE ${likeWords(q)})
    OR EXISTS (SELECT FROM message m WHERE m.goal_id = p.goal_id
      AND m.content->'isQuiet' IS NULL AND m.content->>'text' ILIKE ${likeWords(q)})
    OR EXISTS (SELECT FROM ledger l WHERE l.goal_id = p.goal_id AND ${inJson(db, db`l.body`, q)})
  ) AS holds
  FROM page p
  WHERE p.place <= ${size} AND (p.place = 1
    OR clock_timestamp() < statement_timestamp() + ${leftMs}::float8 * interval '1 ms')`;

function behind(db: Database, position: Position | null) {
  if (position === null) return db``;
  const [at, goalId] = position;
  return db`AND (g.updated_at < ${at}::text::timestamptz
    OR (g.updated_at = ${at}::text::timestamptz AND g.goal_id > ${goalId}))`;
}
