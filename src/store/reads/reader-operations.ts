import type { Provider, Worker } from '../../../schema/operations.ts';
import type {
  BusyHost,
  OperationsReader,
  StuckGoal,
  Undelivered,
} from '../../contract/operations-reads.ts';
import { originOf } from '../../net/shown-url.ts';
import type { Database } from '../client.ts';
import type { Row } from '../row.ts';
import { limitsInEffect } from '../spend/standing-limits.ts';
import { readSpend } from './reader-spend.ts';
import { readStanding } from './standing.ts';
import { workerState } from './worker-state.ts';

const MOST_UNDELIVERED = 20;
/** Lists that somebody looks at ask anew when one goal on them moved. */
const MOST_TOLD = 500;
/** Models with calls. */
const MOST_STUCK = 20;
const MOST_KEYS = 1000;

export function readOperations(db: Database): OperationsReader {
  return {
    workers: () => readWorkers(db),
    spend: (range) => readSpend(db, range),
    standingLimits: (limits) => limitsInEffect(db, limits),
    providers: (from) => readProviders(db, from),
    standing: () => readStanding(db),

    async busyHosts() {
      return db<BusyHost[]>`
        SELECT w.host, count(*)::int AS goals,
          (array_agg(g.goal_id ORDER BY g.updated_at))[1] AS "goalId"
        FROM goal g JOIN workspace w ON w.name = g.workspace_name
        WHERE g.status = 'active' AND g.archived_at IS NULL
        GROUP BY w.host ORDER BY w.host`;
    },

    async stuck() {
      return db<StuckGoal[]>`
        SELECT u.goal_id AS "goalId", u.task, u.attempts, u.failure, r.version,
          to_char(u.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since
        FROM stuck_run u JOIN goal g USING (goal_id, run_id) LEFT JOIN run r USING (goal_id, run_id)
        WHERE g.archived_at IS NULL AND g.status <> 'complete'
        ORDER BY u.since LIMIT ${MOST_STUCK}`;
    },

    async goalsOn(hosts) {
      const rows = await db<Row<'goal', 'goal_id'>[]>`
        SELECT g.goal_id FROM goal g JOIN workspace w ON w.name = g.workspace_name
        WHERE w.host IN ${db([...hosts])} AND g.status IN ('active', 'budget_limited')
          AND g.archived_at IS NULL
        ORDER BY g.updated_at DESC LIMIT ${MOST_TOLD}`;
      return rows.map((row) => row.goal_id);
    },

    async undelivered(since) {
      const rows = await db<Undelivered[]>`
        SELECT goal_id AS "goalId", min(url) AS url, count(*)::int AS deliveries,
          (array_agg(last_error ORDER BY next_at DESC))[1] AS error, max(next_at) AS at
        FROM delivery WHERE state = 'given_up' AND next_at > ${since}::timestamptz
        GROUP BY goal_id ORDER BY max(next_at) DESC LIMIT ${MOST_UNDELIVERED}`;
      // A URL may carry a secret.
      return rows.map((row) => ({ ...row, url: originOf(row.url) }));
    },
  };
}

type WorkerRow = Row<
  'worker',
  | 'worker_id'
  | 'host'
  | 'pid'
  | 'task_queues'
  | 'version'
  | 'models'
  | 'tools'
  | 'slices'
  | 'slots'
  | 'is_draining'
  | 'isolation'
  | 'limited_by'
  | 'temporal_key'
  | 'refused'
  | 'started_at'
  | 'seen_at'
> & {
  readonly workspaces: string[];
  readonly now: string;
};

async function readWorkers(db: Database): Promise<Worker[]> {
  const rows = await db<WorkerRow[]>`
    SELECT k.*, now() AS now, coalesce((
      SELECT jsonb_agg(w.name ORDER BY w.name) FROM workspace w WHERE w.host = k.host AND w.origin IS NULL
    ), '[]') AS workspaces
    FROM worker k WHERE k.seen_at > now() - interval '1 day'
    ORDER BY k.seen_at < now() - interval '15 seconds', k.host, k.started_at, k.worker_id`;
  return rows.map(toWorker);
}

/** Postgres wrote the heartbeat time, so its clock computes the age. */
const toWorker = (row: WorkerRow): Worker => ({
  workerId: row.worker_id,
  state: workerState({ seenAt: row.seen_at, isDraining: row.is_draining }, Date.parse(row.now)),
  build: row.version,
  host: row.host,
  pid: row.pid,
  taskQueues: row.task_queues,
  slices: row.slices,
  slots: row.slots,
  tools: row.tools,
  models: row.models,
  workspaces: row.workspaces,
  isolation: row.isolation,
  limitedBy: row.limited_by === 'kernel' ? 'kernel' : 'counting',
  temporalKey: row.temporal_key,
  refused: row.refused,
  startedAt: row.started_at,
  seenAt: row.seen_at,
});

const MINUTES = 20;

type ProviderRow = Row<'step', 'model' | 'cost_usd'> & {
  readonly calls: number;
  readonly errors: number;
  readonly kinds: Record<string, number> | null;
  readonly p50: number | null;
  readonly p95: number | null;
};

type MinuteRow = Row<'step', 'model'> & {
  readonly ago: number;
  readonly calls: number;
  readonly errors: number;
};

async function readProviders(db: Database, from: string): Promise<Provider[]> {
  const [rows, minutes] = await Promise.all([
    db<ProviderRow[]>`
      WITH s AS (
        SELECT model, state, cost_usd, error->>'kind' AS kind,
          extract(epoch FROM ended_at - started_at)::float8 AS seconds
        FROM step WHERE started_at >= ${from}::timestamptz AND state <> 'sent'
      ), kinds AS (
        SELECT model, jsonb_object_agg(kind, calls) AS kinds FROM (
          SELECT model, coalesce(kind, 'other') AS kind, count(*) AS calls
          FROM s WHERE state = 'failed' GROUP BY 1, 2) k GROUP BY model
      )
      SELECT s.model, count(*)::int AS calls, (count(*) FILTER (WHERE state = 'failed'))::int AS errors,
        (SELECT k.kinds FROM kinds k WHERE k.model = s.model) AS kinds,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE state = 'committed') AS p50,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE state = 'committed') AS p95,
        trim_scale(sum(cost_usd))::text AS cost_usd
      FROM s GROUP BY s.model ORDER BY sum(cost_usd) DESC, s.model LIMIT ${MOST_KEYS}`,
    db<MinuteRow[]>`
      SELECT model, floor(extract(epoch FROM now() - started_at) / 60)::int AS ago,
        count(*)::int AS calls, (count(*) FILTER (WHERE state = 'failed'))::int AS errors
      FROM step
      WHERE started_at > now() - make_interval(mins => ${MINUTES}) AND state <> 'sent'
      GROUP BY 1, 2`,
  ]);
  return rows.map((row) => toProvider(row, minutes));
}

function toProvider(row: ProviderRow, minutes: readonly MinuteRow[]): Provider {
  const own = minutes.filter(({ model }) => model === row.model);
  const lineOf = (read: (minute: MinuteRow) => number) =>
    Array.from({ length: MINUTES }, (_, index) => {
      const minute = own.find(({ ago }) => Math.max(0, ago) === MINUTES - 1 - index);
      return minute === undefined ? 0 : read(minute);
    });
  const kinds = Object.entries(row.kinds ?? {}).map(([kind, calls]) => ({ kind, calls }));
  return {
    model: row.model,
    calls: row.calls,
    errors: row.errors,
    kinds: kinds.sort((left, right) => right.calls - left.calls),
    p50Seconds: row.p50,
    p95Seconds: row.p95,
    costUsd: row.cost_usd,
    recentCalls: lineOf(({ calls }) => calls),
    recentErrors: lineOf(({ errors }) => errors),
  };
}
