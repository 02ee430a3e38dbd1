import type { Past } from '../../../schema/estimate.ts';
import type { PastReader } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { inSight } from './in-sight.ts';

/** The newest ones: models and projects change. */
const MOST_GOALS = 200;
/** With fewer goals of a workspace, all goals of the model are the better sample. */
const ENOUGH = 3;

interface PastRow {
  readonly is_here: boolean;
  readonly goals: number;
  readonly completed: number;
  readonly turns: number[] | null;
  readonly cost: number[] | null;
  readonly turn_tokens: number[];
  readonly turn_cost: number[];
  readonly turn_seconds: number[];
}

export function readPast(db: Database): PastReader {
  type Part = ReturnType<typeof db>;
  const spread = (value: Part, filter: Part = db``) => db`
    to_jsonb(percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY ${value}) ${filter})`;
  return {
    async past(model, workspace, sight) {
      const rows = await db<PastRow[]>`
        WITH g AS (
          SELECT g.status, coalesce(w.origin, w.name) AS workspace_name, j.turns, j.cost_usd::float8 AS cost,
            (j.input_tokens - j.cached_input_tokens + j.output_tokens)::float8 AS tokens,
            j.active_ms / 1000.0 AS seconds
          FROM goal g JOIN journal j USING (goal_id) JOIN workspace w ON w.name = g.workspace_name
          WHERE g.model = ${model} AND j.turns > 0 AND g.parent_goal_id IS NULL
            AND ${inSight(db, sight)}
          ORDER BY g.created_at DESC LIMIT ${MOST_GOALS}
        )
        SELECT here AS is_here, count(*)::int AS goals,
          (count(*) FILTER (WHERE status = 'complete'))::int AS completed,
          ${spread(db`turns::float8`, db`FILTER (WHERE status = 'complete')`)} AS turns,
          ${spread(db`cost`, db`FILTER (WHERE status = 'complete')`)} AS cost,
          ${spread(db`tokens / turns`)} AS turn_tokens, ${spread(db`cost / turns`)} AS turn_cost,
          ${spread(db`(seconds / turns)::float8`)} AS turn_seconds
        FROM g, (VALUES (true), (false)) AS w(here)
        WHERE NOT here OR workspace_name = ${workspace}
        GROUP BY here ORDER BY here DESC`;
      const row = rows.find(({ is_here, goals }) => !is_here || goals >= ENOUGH);
      return row === undefined ? nothingKnown : toPast(row);
    },
  };
}

const nothingKnown: Past = {
  scope: 'none',
  goals: 0,
  completed: 0,
  turns: null,
  costUsd: null,
  tokensPerTurn: null,
  costPerTurn: null,
  secondsPerTurn: null,
};

const toPast = (row: PastRow): Past => ({
  scope: row.is_here ? 'workspace_and_model' : 'model',
  goals: row.goals,
  completed: row.completed,
  turns: spreadOf(row.turns),
  costUsd: spreadOf(row.cost),
  tokensPerTurn: spreadOf(row.turn_tokens),
  costPerTurn: spreadOf(row.turn_cost),
  secondsPerTurn: spreadOf(row.turn_seconds),
});

function spreadOf(values: readonly number[] | null) {
  const [p50, p90] = values ?? [];
  return p50 == null || p90 == null ? null : { p50: rounded(p50), p90: rounded(p90) };
}

const rounded = (value: number): number => Number(value.toPrecision(6));
