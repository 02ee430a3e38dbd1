import type { SpendLimit, StandingLimit } from '../../contract/spend.ts';
import { namedBeside } from '../../record/budget/spend-limits.ts';
import type { Executor } from '../client.ts';
import { storable } from '../json.ts';
import { originOf } from '../reads/in-sight.ts';

/** A limit as it applies to somebody; its window is opened when a call first needs it. */
export type FoundLimit = StandingLimit & { readonly isOpen: boolean };

interface LimitRow {
  readonly n: number;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cost_usd: string | null;
  readonly tokens: number | null;
  readonly held_usd: string | null;
  readonly held_tokens: number | null;
}

/** Limits as a relation `l`, with the period that runs by the database's clock as `p`. */
const limitsOf = (sql: Executor, limits: readonly SpendLimit[]) => sql`
  jsonb_to_recordset(${sql.json(storable(limits.map((one, n) => asRow(limits, one, n))))})
    AS l(n int, scope text, name text, beside jsonb, per text, zone text)
  CROSS JOIN LATERAL (
    SELECT b.local AT TIME ZONE l.zone AS starts_at,
      (b.local + ('1 ' || l.per)::interval) AT TIME ZONE l.zone AS ends_at
    FROM (SELECT date_trunc(l.per, now() AT TIME ZONE l.zone) AS local) b
  ) p`;

const asRow = (limits: readonly SpendLimit[], limit: SpendLimit, n: number) => ({
  ...{ n, scope: limit.of, name: limit.name, beside: namedBeside(limits, limit) },
  ...{ per: limit.per, zone: limit.timeZone },
});

const columns = (sql: Executor) => sql`
  l.n, p.starts_at AS from, p.ends_at AS to, trim_scale(w.cost_usd)::text AS cost_usd, w.tokens,
  trim_scale(w.held_usd)::text AS held_usd, w.held_tokens`;

/** The limits that a goal's calls are held to now. */
export async function limitsOfGoal(
  sql: Executor,
  goalId: string,
  limits: readonly SpendLimit[],
): Promise<FoundLimit[]> {
  const rows = await sql<LimitRow[]>`
    SELECT s.subject, ${columns(sql)}
    FROM goal g CROSS JOIN ${limitsOf(sql, limits)}
    CROSS JOIN LATERAL (SELECT CASE l.scope WHEN 'service' THEN ''
      WHEN 'workspace' THEN ${originOf(sql)} ELSE g.created_by END AS subject) s
    LEFT JOIN spend_window w ON w.scope = l.scope AND w.subject = s.subject
      AND w.starts_at = p.starts_at AND w.ends_at = p.ends_at
    WHERE g.goal_id = ${goalId} AND (l.name IS NULL OR l.name = s.subject)
      AND NOT l.beside ? s.subject
    ORDER BY l.n`;
  return rows.map((row) => found(limits, row));
}

/** Every limit in the period that runs, for whoever spent in it, or is named. */
export async function limitsInEffect(
  sql: Executor,
  limits: readonly SpendLimit[],
): Promise<FoundLimit[]> {
  if (limits.length === 0) return [];
  const rows = await sql<LimitRow[]>`
    SELECT coalesce(w.subject, l.name, '') AS subject, ${columns(sql)}
    FROM ${limitsOf(sql, limits)}
    LEFT JOIN spend_window w ON w.scope = l.scope AND (l.name IS NULL OR l.name = w.subject)
      AND NOT l.beside ? w.subject AND w.starts_at = p.starts_at AND w.ends_at = p.ends_at
    WHERE w.subject IS NOT NULL OR l.name IS NOT NULL OR l.scope = 'service'
    ORDER BY l.n, w.cost_usd DESC, 1 LIMIT 1000`;
  return rows.map((row) => found(limits, row));
}

function found(limits: readonly SpendLimit[], row: LimitRow): FoundLimit {
  const limit = limits[row.n];
  if (limit === undefined) throw new RangeError(`no limit ${row.n}`);
  const { subject, from, to } = row;
  return {
    ...{ limit, subject: limit.of === 'service' ? null : subject, from, to },
    ...{ costUsd: row.cost_usd ?? '0', tokens: row.tokens ?? 0 },
    ...{ heldUsd: row.held_usd ?? '0', heldTokens: row.held_tokens ?? 0 },
    isOpen: row.cost_usd !== null,
  };
}

/** Outside of any transaction: no call begins or ends meanwhile. */
export async function openWindows(sql: Executor, found: readonly FoundLimit[]): Promise<void> {
  for (const { isOpen, limit, subject, from, to } of found) {
    if (isOpen) continue;
    await sql`SELECT open_spend_window(${limit.of}::text, ${subject ?? ''}::text, ${from}::timestamptz,
      ${to}::timestamptz)`;
  }
}
