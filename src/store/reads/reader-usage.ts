import type { ChargedStep, StepSums } from '../../../schema/usage.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { jsonOf, type Store, timeOf } from '../store.ts';

type Usage = Pick<ReaderPort, 'usageSeries' | 'usageSteps' | 'usageOfSteps'>;

interface StepRow extends Omit<ChargedStep, 'trouble'> {
  readonly trouble: string | null;
}

/** Charges: per settled turn, per call, and summed over the calls. */
export function readUsagePages({ sql: db, prisma }: Store): Usage {
  return {
    async usageSeries(goalId) {
      const rows = await prisma.decision.findMany({
        where: { goalId },
        select: { turn: true, usage: true, at: true },
        orderBy: { turn: 'asc' },
      });
      return rows.map(({ turn, usage, at }) => ({ turn, usage: jsonOf(usage), at: timeOf(at) }));
    },

    async usageSteps(goalId, { cursor, limit }) {
      const [turn, step, attempt] = decodeCursor(cursor, ['number', 'number', 'number']) ?? [
        0, 0, 0,
      ];
      const rows = await db<StepRow[]>`
        SELECT turn, step, kind, attempt, state, model, input_tokens AS "inputTokens",
          cached_input_tokens AS "cachedInputTokens", output_tokens AS "outputTokens",
          trim_scale(cost_usd)::text AS "costUsd", is_estimated AS "isEstimated",
          prices_version AS "pricesVersion",
          error->>'kind' || ': ' || (error->>'message') AS trouble,
          started_at AS "startedAt", ended_at AS "endedAt"
        FROM step
        WHERE goal_id = ${goalId}
          AND (turn, step, attempt) > (${turn}::int, ${step}::int, ${attempt}::int)
        ORDER BY turn, step, attempt LIMIT ${limit + 1}`;
      return pageOf(rows, limit, shown, ({ turn, step, attempt }) => [turn, step, attempt]);
    },

    async usageOfSteps(goalId) {
      // A call that was only sent has been charged nothing yet.
      const [sums] = await db<[SumsRow]>`
        SELECT count(*)::int AS calls, coalesce(sum(input_tokens), 0)::float8 AS input,
          coalesce(sum(cached_input_tokens), 0)::float8 AS cached,
          coalesce(sum(output_tokens), 0)::float8 AS output,
          trim_scale(coalesce(sum(cost_usd), 0))::text AS cost,
          (count(*) FILTER (WHERE is_estimated))::int AS estimated_calls,
          coalesce(sum(input_tokens - cached_input_tokens + output_tokens)
            FILTER (WHERE is_estimated), 0)::float8 AS estimated_tokens,
          trim_scale(coalesce(sum(cost_usd) FILTER (WHERE is_estimated), 0))::text AS estimated_cost
        FROM step WHERE goal_id = ${goalId} AND state <> 'sent'`;
      return toSums(sums);
    },
  };
}

interface SumsRow {
  readonly calls: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly cost: string;
  readonly estimated_calls: number;
  readonly estimated_tokens: number;
  readonly estimated_cost: string;
}

const shown = ({ trouble, ...row }: StepRow): ChargedStep =>
  trouble === null ? row : { ...row, trouble };

const toSums = (row: SumsRow): StepSums => ({
  calls: row.calls,
  inputTokens: row.input,
  cachedInputTokens: row.cached,
  outputTokens: row.output,
  tokens: row.input - row.cached + row.output,
  costUsd: row.cost,
  estimated: {
    calls: row.estimated_calls,
    tokens: row.estimated_tokens,
    costUsd: row.estimated_cost,
  },
});
