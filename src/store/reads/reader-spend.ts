import type { Spend, SpendBy } from '../../../schema/operations.ts';
import type { SpendRange } from '../../contract/operations-reads.ts';
import { seesAll } from '../../policy/sight.ts';
import type { Database } from '../client.ts';
import { inSight, originOf, ownersOfGoals } from './in-sight.ts';

/** Hours and days are bounded by their range; of all others the dearest. */
const MOST_KEYS = 1000;

interface SpendRow {
  readonly key: string;
  readonly cost_usd: string;
  readonly estimated_usd: string;
  readonly calls: number;
  readonly tokens: number;
  readonly total: string;
}

/** A call counts in the hour of its beginning, although it is charged at its end. */
export async function readSpend(db: Database, range: SpendRange): Promise<Spend> {
  const { from, to, by } = range;
  const rows = await db<SpendRow[]>`
    SELECT key, trim_scale(sum(cost))::text AS cost_usd,
      trim_scale(sum(estimated))::text AS estimated_usd, sum(calls)::int AS calls,
      sum(tokens)::float8 AS tokens, trim_scale(sum(sum(cost)) OVER ())::text AS total
    FROM (${byGoal(db, range)}) c
    GROUP BY key ORDER BY ${isTime(by) ? db`key` : db`sum(cost) DESC, key`} LIMIT ${MOST_KEYS}`;
  const items = rows.map((row) => ({
    key: isTime(by) ? new Date(row.key).toISOString() : String(row.key),
    costUsd: row.cost_usd,
    estimatedUsd: row.estimated_usd,
    calls: row.calls,
    tokens: row.tokens,
  }));
  return { from, to, by, costUsd: rows[0]?.total ?? '0', items };
}

const isTime = (by: SpendBy): boolean => by === 'hour' || by === 'day';

/** A goal's own sums first, so that whose it is, and where it works, is asked once for each goal. */
function byGoal(db: Database, range: SpendRange) {
  const { by, sight } = range;
  if (isOfCall(by) && seesAll(sight)) {
    return db`SELECT o.part AS key, o.* FROM (${goalSums(db, range)}) o`;
  }
  return db`
    SELECT ${keyOfGoal(db, by)} AS key, o.*
    FROM (${goalSums(db, range)}) o JOIN ${ownersOfGoals(db)} g ON g.goal_id = o.goal_id
    WHERE ${inSight(db, sight)}`;
}

const isOfCall = (by: SpendBy): boolean => isTime(by) || by === 'model';

/** Of goals that were removed, a quarter of an hour counts where it began. */
const goalSums = (db: Database, { from, to, by, timeZone }: SpendRange) => db`
  SELECT s.goal_id, ${keyOfCall(db, by, timeZone)} AS part,
    sum(s.cost_usd) AS cost, count(*) AS calls,
    coalesce(sum(s.cost_usd) FILTER (WHERE s.is_estimated), 0) AS estimated,
    sum(s.input_tokens - s.cached_input_tokens + s.output_tokens) AS tokens
  FROM step s
  WHERE s.started_at >= ${from}::timestamptz AND s.started_at < ${to}::timestamptz
    AND s.state <> 'sent'
  GROUP BY 1, 2
  UNION ALL
  SELECT s.goal_id, ${keyOfCall(db, by, timeZone)}, sum(s.cost_usd), sum(s.calls),
    sum(s.estimated_usd), sum(s.tokens)
  FROM kept_spend s
  WHERE s.started_at >= ${from}::timestamptz AND s.started_at < ${to}::timestamptz
  GROUP BY 1, 2`;

/** Null for what is the goal's. */
function keyOfCall(db: Database, by: SpendBy, timeZone: string) {
  switch (by) {
    case 'hour':
      return db`date_trunc('hour', s.started_at, ${timeZone}::text)::text`;
    case 'day':
      return db`date_trunc('day', s.started_at, ${timeZone}::text)::text`;
    case 'model':
      return db`s.model`;
    default:
      return db`NULL::text`;
  }
}

function keyOfGoal(db: Database, by: SpendBy) {
  switch (by) {
    case 'workspace':
      return originOf(db);
    case 'principal':
      return db`g.created_by`;
    case 'goal':
      return db`g.goal_id`;
    default:
      return db`o.part`;
  }
}
