import type { Executor } from '../client.ts';
import { GONE_AFTER_MS } from './worker-state.ts';

/**
 * Is goal `g` one that should move, on a host that no living worker serves? Asked by everything
 * that shows, filters, groups, counts or sorts goals, so that all of it says the same. Postgres
 * wrote the workers' signs of life, so its clock says how old they are. What is due counts as well:
 * a time that has passed without anybody there to see it.
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

/** Since when goal `g` does what it is shown to do: stranded, since its host's last sign of life. */
export const shownSince = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN greatest(${since(sql)}, (
    SELECT max(k.seen_at) FROM worker k JOIN workspace s ON s.host = k.host
    WHERE s.name = g.workspace_name
  )) ELSE ${since(sql)} END`;

/** Who has to act next on goal `g`. */
export const shownActor = (sql: Executor) => sql`
  CASE WHEN ${isStranded(sql)} THEN 'Worker' ELSE g.activity->>'actor' END`;
