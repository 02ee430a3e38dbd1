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

const since = (sql: Executor) => sql`(g.activity->>'since')::timestamptz(3)`;

/**
 * Time since which goal `g` is in its shown state; for a stranded one, its host's last heartbeat.
 */
export const shownSince = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN greatest(${since(sql)}, (
    SELECT max(k.seen_at) FROM worker k JOIN workspace s ON s.host = k.host
    WHERE s.name = g.workspace_name
  )) ELSE ${since(sql)} END`;

/** The actor that has to act next on goal `g`. */
export const shownActor = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN 'Worker' ELSE g.activity->>'actor' END`;
