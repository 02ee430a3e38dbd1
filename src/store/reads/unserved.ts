import type { Executor } from '../client.ts';
import { GONE_AFTER_MS } from './worker-state.ts';

/**
 * True for a goal `g` that should move, on a host without a living worker. Every read that shows,
 * filters, groups, counts or sorts goals uses it, so that all agree. Postgres wrote the heartbeats,
 * so its clock computes their age. Due waits count as well: their time passed without a worker.
 */
export const isStranded = (sql: Executor) => sql`(
  g.archived_at IS NULL AND g.status IN ('active', 'budget_limited')
  AND (g.activity->>'state' = 'running' OR (
    g.activity->>'state' = 'waiting' AND (g.activity->>'until')::timestamptz < now()
  )) AND g.workspace_name IN (
    SELECT unserved.name FROM workspace unserved WHERE NOT EXISTS (
      SELECT FROM worker k WHERE k.host = unserved.host
        AND k.seen_at > now() - make_interval(secs => ${GONE_AFTER_MS / 1000}))))`;

/** True for a goal `g` whose tasks fail again and again. */
const isStuck = (sql: Executor) => sql`EXISTS (${stuckRunOf(sql, sql`SELECT`)})`;

const stuckRunOf = (sql: Executor, select: ReturnType<Executor>) => sql`
  ${select} FROM stuck_run u WHERE u.goal_id = g.goal_id AND u.run_id = g.run_id
    AND g.archived_at IS NULL AND g.status <> 'complete'`;

/** A `StuckRun` of goal `g` as JSON; null = it is not stuck. */
export const stuckRun = (sql: Executor) =>
  sql`(${stuckRunOf(
    sql,
    sql`SELECT jsonb_build_object('task', u.task, 'attempts', u.attempts, 'failure', u.failure,
    'since', to_char(u.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'version', (SELECT r.version FROM run r WHERE r.goal_id = g.goal_id AND r.run_id = g.run_id))`,
  )})`;

/** What goal `g` waits for, as it is shown; null = nothing. */
export const shownOn = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN 'worker' WHEN ${isStuck(sql)} THEN 'execution'
    ELSE g.activity->>'on' END`;

const since = (sql: Executor) => sql`(g.activity->>'since')::timestamptz(3)`;

/**
 * Time since which goal `g` is in its shown state; for a stranded one, its host's last heartbeat.
 */
export const shownSince = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN greatest(${since(sql)}, (
    SELECT max(k.seen_at) FROM worker k JOIN workspace s ON s.host = k.host
    WHERE s.name = g.workspace_name
  )) ELSE coalesce((${stuckRunOf(sql, sql`SELECT u.since`)}), ${since(sql)}) END`;

/** The actor that has to act next on goal `g`. */
export const shownActor = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN 'Worker' WHEN ${isStuck(sql)} THEN 'You'
    ELSE g.activity->>'actor' END`;
